"""The figures by name: an experiment, its claims and its picture. One file a figure."""
