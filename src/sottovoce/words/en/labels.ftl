### Labels of lines that answers have too.

label-answer = answer
label-colluders = colluders
label-empty = empty
label-error = error
label-left-out = left out
label-method = method
label-note = note
label-nothing = nothing
label-truth = truth
label-users = users
label-warning = warning
