"""How the page looks: in the light, in the dark, on a phone, on paper."""

from __future__ import annotations

from sottovoce.paper.plots import FONTS

_LIGHT = (
    "--ink:#1d1d1f;--paper:#fff;--grid:#e4e4e7;--grey:#5f5f66;--line:#d0d0d6;--soft:#f3f3f5;"
    "--link:#0058a3;--good:#00664f;--bad:#a03c00;--open:#0058a3;"
    "--r0:#fbdcdc;--r1:#d3f0d8;--r2:#dbe3fb;--r3:#ececef"
)
_DARK = (
    "--ink:#ececf0;--paper:#17181b;--grid:#34353a;--grey:#a9a9b3;--line:#44454c;--soft:#24252a;"
    "--link:#8cc8ff;--good:#6fdcb8;--bad:#ffab7a;--open:#8cc8ff;"
    "--r0:#4a2426;--r1:#1d4428;--r2:#28325c;--r3:#33343a"
)

STYLE = (
    f":root{{color-scheme:light dark;{_LIGHT}}}"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_DARK}}}}}"
    """
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;margin:0;background:var(--paper);color:var(--ink)}
main{max-width:76rem;margin:0 auto;padding:1rem;overflow-wrap:break-word}
a{color:var(--link)}
table{border-collapse:collapse;width:100%;margin:1rem 0;font-size:.9rem}
caption{text-align:left;color:var(--grey);padding:.3rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
th{font-weight:600}tbody th{font-weight:400}thead th{border-bottom:2px solid var(--grey)}
.verdict{font-weight:600;min-width:7.5rem}
.agrees{color:var(--good)}.differs{color:var(--bad)}.depends{color:var(--open)}
h2{margin:3rem 0 1rem;border-top:1px solid var(--line);padding-top:1rem}
h3{margin:2rem 0 .5rem}
h2 small,.note{color:var(--grey);font-weight:400}.note,h2 small{font-size:.9rem}
code{background:var(--soft);padding:0 .2em}
sup,sub{line-height:0;font-size:.75em}
ul.tally,ul.claims{list-style:none;margin:0;padding:0}
ul.tally{display:flex;flex-wrap:wrap;gap:.3rem 1.5rem;font-size:1.1rem;margin:-.5rem 0 1rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
figure{margin:1rem 0}
figure svg text,figure svg tspan{font-family:@FONTS@}
figure svg{display:block;width:100%;height:auto;max-width:70rem;margin:0 auto}
.narrow{display:none}.narrow svg{max-width:32rem}
.try{border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem 1rem;margin:1rem 0}
.try h3{margin-top:.5rem}
.fields{display:flex;flex-wrap:wrap;gap:.5rem 1rem;margin:.5rem 0}
.fields label{display:flex;flex-direction:column;font-size:.9rem}
.fields input{font:inherit;width:8rem;padding:.3rem;color:var(--ink);background:var(--paper);
border:1px solid var(--grey)}
.fields input:invalid{border-color:var(--bad);border-width:2px}
.maps{display:flex;flex-wrap:wrap;gap:1rem}
.maps>div{flex:1 1 19rem;min-width:0;max-width:34rem}
.maps svg{width:100%;height:auto;touch-action:pan-y;display:block}
.maps text{font:11px system-ui,sans-serif;fill:var(--ink)}
.maps .curve{fill:none;stroke:var(--ink);stroke-width:1.2}
.maps .dot{fill:var(--ink);stroke:var(--paper);stroke-width:2}
.maps .region:focus{outline:none;stroke:var(--link);stroke-width:3}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.hint{min-height:3em}
.r0{fill:var(--r0)}.r1{fill:var(--r1)}.r2{fill:var(--r2)}.r3{fill:var(--r3)}
@media screen and (max-width:44rem){
.wide{display:none}.narrow{display:block}
table.cards,.cards tbody,.cards tr,.cards td,.cards th,.cards caption{display:block;width:100%}
.cards thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.cards tr{border:1px solid var(--line);border-radius:.5rem;margin:.6rem 0;padding:.3rem .5rem}
.cards td,.cards th{border:0;padding:.2rem 0}
.cards tbody th{font-weight:600}.cards td:empty{display:none}
.cards td[data-label]::before{content:attr(data-label);display:block;color:var(--grey);font-weight:400;font-size:.8rem}
h1{font-size:1.6rem}h2{font-size:1.25rem}
}
@media print{
body{font-size:10pt}main{max-width:none;padding:0}
section{break-before:page}figure,tr{break-inside:avoid}nav a,a{color:inherit}
.try .fields,.hint{display:none}
}
""".replace("@FONTS@", FONTS)
)
