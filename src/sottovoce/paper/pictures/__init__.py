"""How each figure is drawn from its rows. One file a figure."""
