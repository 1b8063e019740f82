"""The law of what the paper's algorithms give, without drawing every bit.

The paper's own real-valued Laplace noise and real-valued ω are simulated. The shipped channels round both to
integers: Laplace to a grid of 2^16 steps of the interval, ω to 64-bit thresholds, so that a figure made with the
shipped protocols differs by less than 2^-16 of an interval.
"""
