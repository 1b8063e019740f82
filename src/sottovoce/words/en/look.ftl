### A file or a frame: what it holds, how it was read, what was not taken of it.

# ---- labels of lines and columns

label-beware = beware
label-column = column
label-file = file
label-holds = holds
label-infinite = infinite
label-kind = kind
label-missing = missing
label-odd = odd
label-text = text
label-twice = twice

# ---- how a file is written

sign-bars = bars
sign-blanks = blanks
sign-commas = commas
sign-none = nothing
sign-semicolons = semicolons
sign-tabs = tabs

# ---- what was not taken

no-user = no user
too-few-cells = too few cells
too-many-cells = too many cells
odd-where = { $line ->
    [row] { $count ->
        [one] row
       *[other] rows
    }
   *[line] { $count ->
        [one] line
       *[other] lines
    }
} { BARE_LIST($lines) }{ $more ->
    [true] { ", …" }
   *[false] { "" }
}

# ---- what to say, or to do to a file, so that odd cells are none

hint-dates = --dates dmy (dates='dmy') if the day comes first, --dates mdy if the month does
hint-decimal-comma = --decimal , (decimal=',') if the comma is a decimal comma
hint-decimal-or-thousands = --decimal . (decimal='.') if the comma separates thousands, --decimal , if it is a decimal comma
disguised-dates = dates are read as 2024-01-31, 31.1.2024 or 1/31/2024, with all digits of the year: write them so in the file
disguised-numbers = numbers stand without a currency, a percent sign or a unit beside them: take those away in the file

# ---- what was seen

look-rows = { $count ->
    [one] { $count } row
   *[other] { $count } rows
}
look-file = { $name }: { $cut ->
    [true] { "the first " }
   *[false] { "" }
}{ look-rows }, { $columns ->
    [one] { $columns } column
   *[other] { $columns } columns
}{ $sign ->
    [none] { "" }
   *[other] ; { $sign } between cells, { $encoding }{ $decimal_commas ->
        [true] , decimal commas
       *[false] { "" }
    }
}
look-separator = if { QUOTED($sign) } separates its columns, say --separator { $typed } (separator={ QUOTED($sign) })
look-first-of-sheets = this is the first of { BARE($count) } sheets; --sheet (sheet=) names another: { QUOTED($others) }
look-columns-alike = { BARE($count) } columns are called { QUOTED($column) }: no command can tell them apart; rename all but one
look-users = { $users ->
    [one] { $users } user
   *[other] { $users } users
} by column { QUOTED($column) }{ $guessed ->
    [true] , which is a guess: --user (user=) names another
   *[false] { "" }
}; { $fewest }{ $alike ->
    [true] { "" }
   *[false] { " " }to { $most }
} { $most ->
    [one] row
   *[other] rows
} each{ $alike ->
    [true] { "" }
   *[false] , half of them at most { G($median) }, 90% at most { $most_have }
}
look-no-users = no column looks like one that says whose a row is: --user (user=) names it
look-users-with-nothing = { $users ->
    [one] { $users } user has
   *[other] { $users } users have
} nothing in { QUOTED($column) }
look-infinite = { $count ->
    [one] { $count } cell of { QUOTED($column) }, which counts
   *[other] { $count } cells of { QUOTED($column) }, which count
} as an end of the range
look-text = { QUOTED($column) }: { $hint }
look-odd = { $count ->
    [one] { $count } cell
   *[other] { $count } cells
} of { QUOTED($column) }, { odd-where }{ $hint ->
    [none] { "" }
   *[other] ; say { $hint }
}
look-left-out = { look-rows }, { $reason }, { odd-where }
look-beware = ranges, labels and counts are looked up in the data, rounded outwards; a survey would not see them, and has to
    declare a range before anybody is asked
look-range = { G($low, digits: 12) } … { G($high, digits: 12) }
look-range-of-dates = { $low } … { $high }
look-labels = { JOIN($labels, by: ", ") }{ $more ->
    [true] { ", …" }
   *[false] { "" }
}
look-different = { $count } different
look-more-columns = { $count } more
