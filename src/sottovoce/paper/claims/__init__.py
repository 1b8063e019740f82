"""What the paper says of each figure, as checks on its rows. One file a figure."""
