// The completion script of zsh. It works from a file `_plinth` on the fpath, and sourced.
import { groupByValues, keyOf, markedKind, quoted, type Named, type Position, type FlagValues } from "./tables.ts";

/** The whole script. */
export function zshScript(places: readonly Position[]): string {
  return `#compdef plinth
# Completion of plinth for zsh. In ~/.zshrc: source <(plinth completion zsh)

_plinth_next() {
  case "$1" in
${cases(places.filter(({ next }) => next.length > 0).map((place) => [[keyOf(place)], described(place.next)]))}
    *) reply=() ;;
  esac
}

_plinth_flags() {
  case "$1" in
${cases(places.map((place) => [[keyOf(place)], described(place.flags)]))}
    *) reply=(); return 1 ;;
  esac
}

# What a flag takes there; fails where it takes nothing.
_plinth_takes() {
  case "$1" in
${cases(groupByValues(places).map(({ keys, taken }) => [keys, wordsOf(taken).map(quoted)]))}
    *) reply=(); return 1 ;;
  esac
}

# The names of the instance that the argument of a place is one of.
_plinth_takes_names() {
  case "$1" in
${places
  .filter(({ names }) => names !== null)
  .map((place) => `    ${quoted(keyOf(place))}) reply=(${quoted(`@${place.names}`)}) ;;`)
  .join("\n")}
    *) reply=(); return 1 ;;
  esac
}

_plinth_names() {
  local -a found
  found=("\${(@f)$(plinth completion --names "$1" --prefix "$PREFIX" --no-input --quiet 2>/dev/null)}")
  compadd -- "\${(@)found:#}"
}

_plinth_takes_files() {
  case "$1" in
    ${places
      .filter(({ files }) => files)
      .map((place) => quoted(keyOf(place)))
      .join("|")}) return 0 ;;
    *) return 1 ;;
  esac
}

_plinth() {
  local -a reply
  local place="" flag="" ended="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $flag ]]; then flag=""; continue; fi
    if [[ $word == "--" ]]; then ended=1; continue; fi
    if [[ $word == -* ]]; then
      if _plinth_takes "\${place:+$place }$word"; then flag="$word"; fi
      continue
    fi
    if _plinth_flags "\${place:+$place }$word"; then place="\${place:+$place }$word"; fi
  done
  if [[ -z $flag && $PREFIX == --*=* ]]; then
    flag="\${PREFIX%%=*}"
    compset -P "*="
    _plinth_takes "\${place:+$place }$flag" || return 1
  fi
  if [[ -n $flag ]]; then
    _plinth_takes "\${place:+$place }$flag"
    case "$reply[1]" in
      file) _files ;;
      @*) _plinth_names "\${reply[1]#@}" ;;
      anything) _message "value of $flag" ;;
      *) compadd -a reply ;;
    esac
    return
  fi
  if [[ $PREFIX == -* && -z $ended ]]; then
    _plinth_flags "$place"
    _describe -o "flag" reply
    return
  fi
  _plinth_next "$place"
  if (( \${#reply} )); then _describe "command" reply; fi
  if _plinth_takes_names "$place"; then _plinth_names "\${reply[1]#@}"; fi
  if _plinth_takes_files "$place"; then _files; fi
}

if [[ "\${funcstack[1]}" == "_plinth" ]]; then
  _plinth "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit }
  compdef _plinth plinth
fi
`;
}

const cases = (branches: readonly (readonly [keys: readonly string[], items: readonly string[]])[]): string =>
  branches.map(([keys, items]) => `    ${keys.map(quoted).join("|")}) reply=(${items.join(" ")}) ;;`).join("\n");

/** Name and summary, in the form of \`_describe\`: a colon ends the name. */
const described = (named: readonly Named[]): string[] =>
  named.map(({ name, summary }) => quoted(`${name.replaceAll(":", "\\:")}:${summary}`));

const wordsOf = (taken: FlagValues): readonly string[] => (typeof taken === "string" ? [markedKind(taken)] : taken);
