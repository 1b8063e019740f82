"""What each figure computes: its settings, its cells, and the rows that a cell gives. One file a figure."""
