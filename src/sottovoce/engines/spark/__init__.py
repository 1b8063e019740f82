"""Stored reports counted on Spark. pyspark is imported when an engine is made, and not before."""

from __future__ import annotations

from sottovoce.engines.spark.engine import Spark, spark

__all__ = ["Spark", "spark"]
