"""What several problems share, and none of them by name: scripts, votes, folds, one round."""

from __future__ import annotations

from sottovoce.methods.adapted import Adapted
from sottovoce.methods.adaptive import COLLUDING, Adaptive
from sottovoce.methods.asking import WAVES, Asking
from sottovoce.methods.at_ends import AtEnd, at_ends
from sottovoce.methods.bell import leaning_below, normal_below
from sottovoce.methods.binomial import binomial_limits, binomial_surprise
from sottovoce.methods.bins import LATTICE, Shares, bins_question, inner_edges, rounded, separation
from sottovoce.methods.coefficients import (
    MOST_CATEGORIES,
    coefficient_groups,
    coefficient_question,
    coefficient_reach,
    coefficient_variance,
    coefficients_found,
)
from sottovoce.methods.concentrated import Concentrated, leaning, leaning_doubt, learned, widest_spread
from sottovoce.methods.directions import (
    Found,
    directed_mean,
    direction_question,
    distance,
    pooled,
    response,
    stretch,
    symbols,
)
from sottovoce.methods.elsewhere import Elsewhere, chance_of
from sottovoce.methods.ends import beyond
from sottovoce.methods.entries import entry_means, entry_question, entry_variance
from sottovoce.methods.folds import Budget, Floats, GroupScheme, Means, one_each, several_each
from sottovoce.methods.foreseen import Foreseen, foreseen
from sottovoce.methods.full_range import (
    ENOUGH_TO_MEASURE,
    FullRange,
    best_table,
    decoded,
    decoded_with_interval,
    guarded_value,
)
from sottovoce.methods.guarded import guarded, guarded_each
from sottovoce.methods.in_groups import EVEN, FoundMean, InGroups
from sottovoce.methods.layout import Layout, misplaced, rivals, winners
from sottovoce.methods.lengths import (
    Lengths,
    length_question,
    lengths,
    share_beyond,
    users_for_lengths,
    usual_quantile,
)
from sottovoce.methods.look import Look
from sottovoce.methods.monotone import isotonic, rising_band
from sottovoce.methods.numbers import (
    FINEST_IN_A_BIN,
    check_at_least,
    check_choice,
    check_confidence,
    check_declared,
    check_labels,
    check_length,
    check_observations,
    check_positive,
    check_public_seed,
    check_size,
    check_users,
    everybody,
    is_whole,
    split,
    typical_observations,
)
from sottovoce.methods.outside import CHECKED, Outside, Widened, outside, outside_question, widen
from sottovoce.methods.ratios import Ratio, Symbols
from sottovoce.methods.script import Script, Scripted, Survey, check_answered, kept, replay, steps_of
from sottovoce.methods.sharing import Part, cannot_share, in_one_report, one_after_another, one_part
from sottovoce.methods.shrunk import shrunk
from sottovoce.methods.side_by_side import side_by_side
from sottovoce.methods.simplex import projected_variance, to_simplex
from sottovoce.methods.symbol_levels import (
    ASSUMED_SPREAD,
    MOST_BINS,
    best_levels,
    contrast_variance,
    default_bins,
    mean_variance,
)
from sottovoce.methods.ties import Tie, replaying
from sottovoce.methods.tuning import (
    Tuned,
    by_experiments,
    by_proofs,
    experiment_delta,
    proof_delta,
)
from sottovoce.methods.unclipped import Entries, FromMiddle, Unclipped, sway
from sottovoce.methods.vote_then_refine import VoteThenRefine, refined
from sottovoce.methods.ways import bins_way, direction_way, ends_free, entry_way, merged, position_way, zoom_ways
from sottovoce.methods.zoom import zoom
from sottovoce.methods.zoomed import Domain, Stage, Zoomed

__all__ = [
    "ASSUMED_SPREAD",
    "CHECKED",
    "COLLUDING",
    "ENOUGH_TO_MEASURE",
    "EVEN",
    "FINEST_IN_A_BIN",
    "LATTICE",
    "MOST_BINS",
    "MOST_CATEGORIES",
    "WAVES",
    "Adapted",
    "Adaptive",
    "Asking",
    "AtEnd",
    "Budget",
    "Concentrated",
    "Domain",
    "Elsewhere",
    "Entries",
    "Floats",
    "Foreseen",
    "Found",
    "FoundMean",
    "FromMiddle",
    "FullRange",
    "GroupScheme",
    "InGroups",
    "Layout",
    "Lengths",
    "Look",
    "Means",
    "Outside",
    "Part",
    "Ratio",
    "Script",
    "Scripted",
    "Shares",
    "Stage",
    "Survey",
    "Symbols",
    "Tie",
    "Tuned",
    "Unclipped",
    "VoteThenRefine",
    "Widened",
    "Zoomed",
    "at_ends",
    "best_levels",
    "best_table",
    "beyond",
    "binomial_limits",
    "binomial_surprise",
    "bins_question",
    "bins_way",
    "by_experiments",
    "by_proofs",
    "cannot_share",
    "chance_of",
    "check_answered",
    "check_at_least",
    "check_choice",
    "check_confidence",
    "check_declared",
    "check_labels",
    "check_length",
    "check_observations",
    "check_positive",
    "check_public_seed",
    "check_size",
    "check_users",
    "coefficient_groups",
    "coefficient_question",
    "coefficient_reach",
    "coefficient_variance",
    "coefficients_found",
    "contrast_variance",
    "decoded",
    "decoded_with_interval",
    "default_bins",
    "directed_mean",
    "direction_question",
    "direction_way",
    "distance",
    "ends_free",
    "entry_means",
    "entry_question",
    "entry_variance",
    "entry_way",
    "everybody",
    "experiment_delta",
    "foreseen",
    "guarded",
    "guarded_each",
    "guarded_value",
    "in_one_report",
    "inner_edges",
    "is_whole",
    "isotonic",
    "kept",
    "leaning",
    "leaning_below",
    "leaning_doubt",
    "learned",
    "length_question",
    "lengths",
    "mean_variance",
    "merged",
    "misplaced",
    "normal_below",
    "one_after_another",
    "one_each",
    "one_part",
    "outside",
    "outside_question",
    "pooled",
    "position_way",
    "projected_variance",
    "proof_delta",
    "refined",
    "replay",
    "replaying",
    "response",
    "rising_band",
    "rivals",
    "rounded",
    "separation",
    "several_each",
    "share_beyond",
    "shrunk",
    "side_by_side",
    "split",
    "steps_of",
    "stretch",
    "sway",
    "symbols",
    "to_simplex",
    "typical_observations",
    "users_for_lengths",
    "usual_quantile",
    "widen",
    "widest_spread",
    "winners",
    "zoom",
    "zoom_ways",
]
