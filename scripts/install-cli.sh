#!/bin/sh
# Installs the plinth command line for this user:
#
#   curl -fsSL https://…/install.sh | PLINTH_DOWNLOAD_URL=https://… sh
#
# PLINTH_DOWNLOAD_URL  the folder with the executables and SHA256SUMS, as `bun run release:cli` builds it
# PLINTH_INSTALL_DIR   the target folder; by default ~/.local/bin
#
# Nothing runs before the last line has arrived, no file is executable before its checksum is verified, and an older
# plinth stays in place until the new one is complete. The script asks for no further rights.
set -eu

main() {
  url=${PLINTH_DOWNLOAD_URL:-}
  [ -n "$url" ] || fail "PLINTH_DOWNLOAD_URL is not set" "Set it to the folder that has SHA256SUMS and the executables"
  url=${url%/}
  # The part before an @ is not the host.
  case $url in *@*) fail "PLINTH_DOWNLOAD_URL must hold no @" ;; esac
  case $url in
    https://* | http://localhost[:/]* | http://127.0.0.1[:/]*) ;;
    *) fail "PLINTH_DOWNLOAD_URL is not an https address" "Plain http is taken from this machine alone" ;;
  esac

  file=plinth-$(platform)
  folder=${PLINTH_INSTALL_DIR:-${HOME:?}/.local/bin}
  case $folder in /*) ;; *) fail "PLINTH_INSTALL_DIR must begin with /" ;; esac
  hasher=$(find_hasher)
  fetcher=$(find_fetcher)

  mkdir -p "$folder"
  # In the target folder, so that the last step is one rename.
  beside=$(mktemp -d "$folder/.plinth-install.XXXXXX")
  trap 'rm -rf "$beside"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

  fetch "$url/SHA256SUMS" "$beside/SHA256SUMS"
  wanted=$(checksum_of "$file" <"$beside/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS says nothing of $file" "This release has no executable for this machine"
  fetch "$url/$file" "$beside/plinth"
  got=$($hasher <"$beside/plinth" | cut -c 1-64)
  [ "$got" = "$wanted" ] ||
    fail "$file is not what SHA256SUMS says" "wanted $wanted" "got    $got" "Nothing was installed; try again, and tell whoever serves it"

  chmod 755 "$beside/plinth"
  version=$("$beside/plinth" --version) || fail "$file does not run on this machine" "Nothing was installed"
  [ ! -d "$folder/plinth" ] || fail "$folder/plinth is a folder" "Nothing was installed"
  mv -f "$beside/plinth" "$folder/plinth"
  printf 'plinth %s is in %s\n' "$version" "$folder"
  case :${PATH:-}: in
    *:"$folder":*) ;;
    *) printf 'It is not on your PATH yet. Add this line to the file your shell reads at its start:\n  export PATH="%s:$PATH"\n' "$folder" ;;
  esac
}

# linux-x64, linux-arm64-musl, darwin-arm64, …
platform() {
  system=$(uname -s)
  machine=$(uname -m)
  case $machine in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "there is no plinth for the processor $machine" "On Node 20 and newer: npm install --global plinth-cli" ;;
  esac
  case $system in
    Linux)
      if [ -n "$(find /lib -maxdepth 1 -name 'ld-musl-*' 2>/dev/null)" ] && ! has_glibc; then machine=$machine-musl; fi
      printf 'linux-%s' "$machine"
      ;;
    Darwin)
      # A shell under Rosetta reports x86_64 on an arm64 machine.
      if [ "$machine" = x64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then machine=arm64; fi
      printf 'darwin-%s' "$machine"
      ;;
    *) fail "there is no plinth for $system" "On Node 20 and newer: npm install --global plinth-cli" ;;
  esac
}

has_glibc() { getconf GNU_LIBC_VERSION >/dev/null 2>&1; }

find_hasher() {
  if command -v sha256sum >/dev/null 2>&1; then printf 'sha256sum'
  elif command -v shasum >/dev/null 2>&1; then printf 'shasum -a 256'
  else fail "neither sha256sum nor shasum is there, so no checksum can be checked"; fi
}

find_fetcher() {
  if command -v curl >/dev/null 2>&1; then printf curl
  elif command -v wget >/dev/null 2>&1; then printf wget
  else fail "neither curl nor wget is there"; fi
}

# fetch <URL> <file>
fetch() {
  case $fetcher in
    curl) curl --fail --silent --show-error --location --proto-redir '=https' --output "$2" "$1" ;;
    # GNU wget can refuse a redirect to an unencrypted URL.
    wget)
      case $(wget --help 2>&1) in
        *--max-redirect*) wget --quiet --max-redirect=0 --output-document="$2" "$1" ;;
        *) wget --quiet --output-document="$2" "$1" ;;
      esac ;;
  esac || fail "$1 could not be fetched"
}

# Prints the checksum of a file from the list on standard input; nothing where the list has none, or several.
checksum_of() {
  awk -v file="$1" '
    NF == 2 && ($2 == file || $2 == "*" file) && length($1) == 64 && $1 !~ /[^0-9a-f]/ { sum = $1; found++ }
    END { if (found == 1) print sum }'
}

# fail <what> [<line> …]
fail() {
  printf 'plinth: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

main "$@"
