"""What an answer says whose caller asserted that users are alike."""

from __future__ import annotations

KIND = "model: users alike, as asserted"
ASSUMES = "that the observations of all users come from one distribution: choosing this method asserts it"
ONE_GROUP = "model: users in one group"
ONE_GROUP_ASSUMES = "that the averages of the users form one group, which may lean"
COVERED = "model: users where the first rounds saw them"
COVERED_ASSUMES = "that nobody is beyond the interval that the last round asked about, but for the tails it allows for"
DIFFER = (
    "the reports contradict users alike: their averages differ more than chance allows, so the last round asked about "
    'bins or an interval that fit them; method="one-round" assumes nothing'
)
ELSEWHERE = (
    "the first round shows users far from the rest, against what this method assumes: the interval is widened by what "
    'may lie there; method="adaptive" or "one-round" allows for them'
)
TOO_FEW = "too few users or observations to look for a place: everybody was asked at once, as one-round does"
UNSETTLED = (
    "the first rounds did not settle where the users are: more users or a larger epsilon would, "
    'method="one-round" does without'
)
