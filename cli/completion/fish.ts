// The completion script of fish, 3.1 and newer: one function that answers for every place.
import { groupByValues, keyOf, markedKind, quoted, type Named, type Position, type FlagValues } from "./tables.ts";

/** The whole script. */
export function fishScript(places: readonly Position[]): string {
  return `# Completion of plinth for fish: plinth completion fish > ~/.config/fish/completions/plinth.fish

function __plinth_next
    switch $argv[1]
${cases(places.filter(({ next, files, names }) => next.length > 0 || files || names).map((place) => [[keyOf(place)], [...place.next.map(described), ...(place.names ? [markedKind(place.names)] : place.files ? ["file"] : [])]]))}
    end
end

function __plinth_flags
    switch $argv[1]
${cases(places.map((place) => [[keyOf(place)], place.flags.map(described)]))}
        case '*'
            return 1
    end
end

# What a flag takes there; fails where it takes nothing.
function __plinth_takes
    switch $argv[1]
${cases(groupByValues(places).map(({ keys, taken }) => [keys, wordsOf(taken)]))}
        case '*'
            return 1
    end
end

function __plinth_say
    if test "$argv[1]" = file
        __fish_complete_path (commandline -ct)
    else if string match -q -- '@*' "$argv[1]"
        plinth completion --names (string sub -s 2 -- $argv[1]) --prefix (commandline -ct) --no-input --quiet 2>/dev/null
    else if test "$argv[1]" != anything
        printf '%s\\n' $argv
    end
end

function __plinth
    set -l place
    set -l flag
    set -l ended
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if set -q flag[1]
            set flag
            continue
        end
        if test "$word" = --
            set ended yes
            continue
        end
        if string match -q -- '-*' "$word"
            if __plinth_takes (string join ' ' -- $place $word) >/dev/null
                set flag $word
            end
            continue
        end
        if __plinth_flags (string join ' ' -- $place $word) >/dev/null
            set -a place $word
        end
    end
    set -l here (string join ' ' -- $place)
    set -l current (commandline -ct)
    if set -q flag[1]
        __plinth_say (__plinth_takes (string join ' ' -- $place $flag))
    else if string match -q -- '--*=*' "$current"
        set -l name (string replace -r '=.*' '' -- "$current")
        for value in (__plinth_takes (string join ' ' -- $place $name))
            if test "$value" != file -a "$value" != anything
                printf '%s=%s\\n' $name $value
            end
        end
    else if string match -q -- '-*' "$current"; and not set -q ended[1]
        __plinth_flags "$here"
    else
        set -l next (__plinth_next "$here")
        if set -q next[1]
            __plinth_say $next
        end
    end
end

complete -c plinth -f -a '(__plinth)'
`;
}

const cases = (branches: readonly (readonly [keys: readonly string[], lines: readonly string[]])[]): string =>
  branches
    .map(([keys, lines]) => `        case ${keys.map(quoted).join(" ")}\n            printf '%s\\n' ${lines.join(" ")}`)
    .join("\n");

/** Name and summary, with the tabulator that tells fish where one ends. */
const described = ({ name, summary }: Named): string => `${name}\\t${quoted(summary)}`;

const wordsOf = (taken: FlagValues): readonly string[] => (typeof taken === "string" ? [markedKind(taken)] : taken);
