"""What makes the files of a release; nothing here is installed."""
