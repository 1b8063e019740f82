"""What is timed: functions that make what is needed and return the call that counts."""
