"""How accurate histograms, quantiles, vectors, sparse means, densities, mixtures and covers are."""
