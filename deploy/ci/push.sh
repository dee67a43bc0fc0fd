#!/bin/sh
# Publishes files from a CI job with `plinth push`, and reports what was published. The GitHub Action and the GitLab
# component run it; any other CI can. It reads:
#   SERVICE_BASE_URL                  the instance
#   PLINTH_AGENT                      identifier of an agent that trusts the job's id token, which is in PLINTH_ID_TOKEN; a
#                                     job of GitHub with the permission `id-token: write` fetches it here
#   SERVICE_TOKEN                     in place of both, an API key with artifacts:read, artifacts:create, artifacts:update
#   PLINTH_FILES                      files and folders, one a line
#   PLINTH_PROJECT                    project or owner/project; without it the .plinth.json of the repository
#   PLINTH_ARGUMENTS                  further flags of `plinth push`, one a line, such as --private
#   PLINTH_CHANGELOG                  note for the new versions (the branch and the commit)
# It writes the lines `url=`, `action=`, `version=` and `diff-url=` of the first artifact to PLINTH_OUTPUT or GITHUB_OUTPUT,
# and a table of all artifacts to GITHUB_STEP_SUMMARY.
set -eu

: "${SERVICE_BASE_URL:?is the address of the Plinth instance}"
if [ -z "${SERVICE_TOKEN:-}${PLINTH_ID_TOKEN:-}" ] && [ -n "${PLINTH_AGENT:-}" ]; then
  : "${ACTIONS_ID_TOKEN_REQUEST_URL:?is not there: give the job the permission id-token: write}"
  PLINTH_ID_TOKEN=$(printf 'Authorization: bearer %s\n' "${ACTIONS_ID_TOKEN_REQUEST_TOKEN:-}" |
    curl -fsSL -H @- "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${SERVICE_BASE_URL%/}" |
    sed -n 's/.*"value" *: *"\([^"]*\)".*/\1/p')
  [ -n "$PLINTH_ID_TOKEN" ] || { echo "GitHub gave no id token" >&2; exit 1; }
  echo "::add-mask::$PLINTH_ID_TOKEN"
  export PLINTH_ID_TOKEN
fi
[ -n "${PLINTH_ID_TOKEN:-}" ] ||
  : "${SERVICE_TOKEN:?is an API key: plinth keys create --name ci --scopes artifacts:read,artifacts:create,artifacts:update; or set PLINTH_AGENT}"

branch=${GITHUB_REF_NAME:-${CI_COMMIT_REF_NAME:-}}
commit=${GITHUB_SHA:-${CI_COMMIT_SHA:-}}
changelog=${PLINTH_CHANGELOG:-$(printf '%s %.7s' "$branch" "$commit")}

set -- push --ensure --format text
[ "$changelog" = " " ] || set -- "$@" --changelog "$changelog"
case "${PLINTH_PROJECT:-}" in
  "") ;;
  */*) set -- "$@" --owner "${PLINTH_PROJECT%%/*}" --project-slug "${PLINTH_PROJECT#*/}" ;;
  *) set -- "$@" --project-slug "$PLINTH_PROJECT" ;;
esac
while IFS= read -r argument; do
  [ -z "$argument" ] || set -- "$@" "$argument"
done <<EOF
${PLINTH_ARGUMENTS:-}
EOF
set -- "$@" --
while IFS= read -r file; do
  [ -z "$file" ] || set -- "$@" "$file"
done <<EOF
${PLINTH_FILES:?names the files and folders to publish, one a line}
EOF

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
row='(.results // [.])[] | [.action, .version, .url, (.diffUrl // ""), (.changes.additions // ""), (.changes.deletions // ""), .artifact.title] | map(tostring | gsub("[\t\r\n|]"; " ")) | join("\t")'
status=0
plinth --jq "$row" "$@" >"$folder/rows" 2>"$folder/messages" || status=$?
cat "$folder/messages" >&2

# A place in a source becomes an annotation of its line.
if [ "$status" -ne 0 ] && [ -n "${GITHUB_ACTIONS:-}" ]; then
  sed -n 's/^ *\([^ :][^:]*\):\([0-9][0-9]*\):\([0-9][0-9]*\): \(.*\)$/::error file=\1,line=\2,col=\3::\4/p' "$folder/messages"
  sed -n 's/^error: \(.*\)$/::error::\1/p' "$folder/messages"
fi

output=${PLINTH_OUTPUT:-${GITHUB_OUTPUT:-}}
number=0
# A tab alone would swallow empty fields, so they are read apart by another character.
tr '\t' '\037' <"$folder/rows" >"$folder/fields"
while IFS=$(printf '\037') read -r action version url diff added deleted title; do
  number=$((number + 1))
  printf '%s %s (v%s)\n' "$action" "$url" "$version"
  [ -z "$diff" ] || printf '  diff: %s\n' "$diff"
  if [ "$number" -eq 1 ] && [ -n "$output" ]; then
    printf 'url=%s\naction=%s\nversion=%s\ndiff-url=%s\n' "$url" "$action" "$version" "$diff" >>"$output"
  fi
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    [ "$number" -gt 1 ] || printf '| Artifact | | Changes |\n|---|---|---|\n' >>"$GITHUB_STEP_SUMMARY"
    changes=""
    [ -z "$added" ] || changes="+$added −$deleted"
    [ -z "$diff" ] || changes="[${changes:-diff}]($diff)"
    printf '| [%s](%s) | %s v%s | %s |\n' "$title" "$url" "$action" "$version" "$changes" >>"$GITHUB_STEP_SUMMARY"
  fi
done <"$folder/fields"
exit "$status"
