"""What several problems share, and none of them by name: scripts, votes, folds, one round."""

from __future__ import annotations

from sottovoce.schemes.adaptive import COLLUDING, Adapted, Adaptive
from sottovoce.schemes.asking import WAVES, Asking
from sottovoce.schemes.bell import leaning_below, normal_below
from sottovoce.schemes.concentrated import Concentrated, leaning, leaning_doubt, learned
from sottovoce.schemes.directions import Found, directed_mean, direction_question, distance, pooled, response, symbols
from sottovoce.schemes.elsewhere import Elsewhere, chance_of
from sottovoce.schemes.ends import beyond
from sottovoce.schemes.folds import Budget, Floats, GroupScheme, Means, one_each, several_each
from sottovoce.schemes.full_range import FullRange, best_table, decoded, decoded_with_interval, guarded_value
from sottovoce.schemes.guarded import guarded
from sottovoce.schemes.histogram import LATTICE, Shares, bins_question, inner_edges, rounded, separation
from sottovoce.schemes.layout import Layout, misplaced, rivals, winners
from sottovoce.schemes.lengths import Lengths, length_question, lengths, users_for_lengths, usual_quantile
from sottovoce.schemes.look import Look
from sottovoce.schemes.numbers import (
    check_choice,
    check_confidence,
    check_length,
    check_observations,
    check_positive,
    check_public_seed,
    check_size,
    check_users,
    everybody,
    is_whole,
    split,
)
from sottovoce.schemes.outside import CHECKED, Outside, Widened, outside, outside_question, widen
from sottovoce.schemes.script import Script, Scripted, Survey, check_answered, replay
from sottovoce.schemes.shrunk import shrunk
from sottovoce.schemes.tuning import (
    Tuned,
    by_experiments,
    by_proofs,
    experiment_constant,
    experiment_delta,
    proof_delta,
)
from sottovoce.schemes.vote_then_refine import VoteThenRefine, refined
from sottovoce.schemes.zoom import Domain, Zoomed, zoom

__all__ = [
    "CHECKED",
    "COLLUDING",
    "LATTICE",
    "WAVES",
    "Adapted",
    "Adaptive",
    "Asking",
    "Budget",
    "Concentrated",
    "Domain",
    "Elsewhere",
    "Floats",
    "Found",
    "FullRange",
    "GroupScheme",
    "Layout",
    "Lengths",
    "Look",
    "Means",
    "Outside",
    "Script",
    "Scripted",
    "Shares",
    "Survey",
    "Tuned",
    "VoteThenRefine",
    "Widened",
    "Zoomed",
    "best_table",
    "beyond",
    "bins_question",
    "by_experiments",
    "by_proofs",
    "chance_of",
    "check_answered",
    "check_choice",
    "check_confidence",
    "check_length",
    "check_observations",
    "check_positive",
    "check_public_seed",
    "check_size",
    "check_users",
    "decoded",
    "decoded_with_interval",
    "directed_mean",
    "direction_question",
    "distance",
    "everybody",
    "experiment_constant",
    "experiment_delta",
    "guarded",
    "guarded_value",
    "inner_edges",
    "is_whole",
    "leaning",
    "leaning_below",
    "leaning_doubt",
    "learned",
    "length_question",
    "lengths",
    "misplaced",
    "normal_below",
    "one_each",
    "outside",
    "outside_question",
    "pooled",
    "proof_delta",
    "refined",
    "replay",
    "response",
    "rivals",
    "rounded",
    "separation",
    "several_each",
    "shrunk",
    "split",
    "symbols",
    "users_for_lengths",
    "usual_quantile",
    "widen",
    "winners",
    "zoom",
]
