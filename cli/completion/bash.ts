// The completion script of bash, 3.2 and newer. Nothing that stands on the line is ever evaluated.
import { groupByValues, keyOf, markedKind, quoted, type Position, type FlagValues } from "./tables.ts";

/** The whole script. */
export function bashScript(places: readonly Position[]): string {
  return `# Completion of plinth for bash. In ~/.bashrc: source <(plinth completion bash)

# What comes next at a place: words, "file" where files do, "@kind" where names of the instance do.
_plinth_next() {
  case "$1" in
${cases(places.filter(({ next, files, names }) => next.length > 0 || files || names).map((place) => [[keyOf(place)], [...place.next.map(({ name }) => name), ...kindOf(place)]]))}
  esac
}

_plinth_flags() {
  case "$1" in
${cases(places.map((place) => [[keyOf(place)], place.flags.map(({ name }) => name)]))}
  esac
}

# What a flag takes there: words, "file", "@kind" or "anything"; fails where it takes nothing.
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

# Names of the instance, for people who are signed in.
_plinth_names() {
  local name
  COMPREPLY=()
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(plinth completion --names "$1" --prefix "$2" --no-input --quiet 2>/dev/null)
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
      @*) _plinth_names "\${found#@}" "$cur" ;;
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
    @*) _plinth_names "\${found#@}" "$cur" ;;
    *) COMPREPLY=($(compgen -W "$found" -- "$cur")) ;;
  esac
}

complete -F _plinth plinth
`;
}

const cases = (branches: readonly (readonly [keys: readonly string[], words: readonly string[]])[]): string =>
  branches.map(([keys, words]) => `    ${keys.map(quoted).join("|")}) echo ${quoted(words.join(" "))} ;;`).join("\n");

/** Names go before files: those come after the first argument. */
const kindOf = ({ files, names }: Position): string[] => (names === null ? (files ? ["file"] : []) : [`@${names}`]);

const wordsOf = (taken: FlagValues): readonly string[] => (typeof taken === "string" ? [markedKind(taken)] : taken);
