"""What the benchmark of the collector needs: prepared requests, and many connections that send them."""
