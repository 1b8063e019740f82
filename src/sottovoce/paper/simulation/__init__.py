"""The law of what the paper's algorithms give, without drawing every bit.

Bins, folds, thresholds, scales and decoding are asked of the protocols; only reports are drawn in aggregate, and
Laplace noise is the paper's own, real-valued one. The shipped channel rounds it to a grid of 2^16 steps of the
interval, so that a figure made with the shipped protocols differs by less than 2^-16 of an interval.
"""
