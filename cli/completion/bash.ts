// The completion script of bash, 3.2 and newer. Nothing that stands on the line is ever evaluated.
import { groupByValues, keyOf, quoted, type Position, type FlagValues } from "./tables.ts";

/** The whole script. */
export function bashScript(places: readonly Position[]): string {
  return `# Completion of plinth for bash. In ~/.bashrc: source <(plinth completion bash)

# What comes next at a place: words, and "file" where files do.
_plinth_next() {
  case "$1" in
${cases(places.filter(({ next, files }) => next.length > 0 || files).map((place) => [[keyOf(place)], [...place.next.map(({ name }) => name), ...(place.files ? ["file"] : [])]]))}
  esac
}

_plinth_flags() {
  case "$1" in
${cases(places.map((place) => [[keyOf(place)], place.flags.map(({ name }) => name)]))}
  esac
}

# What a flag takes there: words, "file" or "anything"; fails where it takes nothing.
_plinth_takes() {
  case "$1" in
${cases(groupByValues(places).map(({ keys, taken }) => [keys, wordsOf(taken)]))}
    *) return 1 ;;
  esac
}

_plinth_files() {
  COMPREPLY=()
  compopt -o default 2>/dev/null && return
  local name
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -f -- "$1")
}

_plinth() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" place="" flag="" files=1 index word found
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    # Readline takes --flag=value apart at its equals sign.
    if [[ $word == "=" ]]; then continue; fi
    if [[ -n $flag ]]; then flag=""; continue; fi
    if [[ $word == "--" ]]; then files=0; continue; fi
    if [[ $word == -* ]]; then
      if _plinth_takes "\${place:+$place }$word" >/dev/null; then flag="$word"; fi
      continue
    fi
    found="\${place:+$place }$word"
    if [[ -n $(_plinth_flags "$found") ]]; then place="$found"; fi
  done
  if [[ $cur == "=" ]]; then cur=""; fi
  if [[ -n $flag ]]; then
    found="$(_plinth_takes "\${place:+$place }$flag")"
    case "$found" in
      file) _plinth_files "$cur" ;;
      anything) COMPREPLY=() ;;
      *) COMPREPLY=($(compgen -W "$found" -- "$cur")) ;;
    esac
    return
  fi
  if [[ $cur == -* && $files == 1 ]]; then
    COMPREPLY=($(compgen -W "$(_plinth_flags "$place")" -- "$cur"))
    return
  fi
  found="$(_plinth_next "$place")"
  case "$found" in
    "") COMPREPLY=() ;;
    file) _plinth_files "$cur" ;;
    *) COMPREPLY=($(compgen -W "$found" -- "$cur")) ;;
  esac
}

complete -F _plinth plinth
`;
}

const cases = (branches: readonly (readonly [keys: readonly string[], words: readonly string[]])[]): string =>
  branches.map(([keys, words]) => `    ${keys.map(quoted).join("|")}) echo ${quoted(words.join(" "))} ;;`).join("\n");

const wordsOf = (taken: FlagValues): readonly string[] => (typeof taken === "string" ? [taken] : taken);
