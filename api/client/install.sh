#!/bin/sh
# Installs plinth, the command line of this Plinth instance, for this user:
#
#   curl -fsSL PUBLIC_URL/install.sh | sh
#
# The executable for this machine where the instance has one, otherwise the npm package, which needs Node 20 or newer.
#
# PLINTH_INSTALL_DIR   the target folder; by default ~/.local/bin
#
# Nothing runs before the last line has arrived, nothing is installed before its checksum is verified, and an older
# plinth stays in place until the new one is complete. The script asks for no further rights.
set -eu

main() {
  url='PUBLIC_URL'
  case $url in
    https://* | http://localhost | http://localhost:* | http://127.0.0.1 | http://127.0.0.1:*) ;;
    *)
      [ "${PLINTH_ALLOW_HTTP:-}" = 1 ] ||
        fail "$url is not an https address" "Anyone on the way could change what is installed. PLINTH_ALLOW_HTTP=1 installs it all the same"
      ;;
  esac

  folder=${PLINTH_INSTALL_DIR:-${HOME:?}/.local/bin}
  case $folder in /*) ;; *) fail "PLINTH_INSTALL_DIR must begin with /" ;; esac
  file=plinth-$(platform).gz
  hasher=$(find_hasher)
  fetcher=$(find_fetcher)

  mkdir -p "$folder"
  # In the target folder, so that the last step is one rename.
  beside=$(mktemp -d "$folder/.plinth-install.XXXXXX")
  trap 'rm -rf "$beside"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

  fetch "$url/_cli/SHA256SUMS" "$beside/SHA256SUMS"
  if [ -n "$(checksum_of "$file" <"$beside/SHA256SUMS")" ]; then
    install_executable
  else
    install_package
  fi
  version=$("$folder/plinth" --version) || fail "plinth was installed in $folder, but does not run"
  printf 'plinth %s is in %s\n' "$version" "$folder"
  remember
  case :${PATH:-}: in
    *:"$folder":*) ;;
    *) printf 'It is not on your PATH yet. Add this line to the file your shell reads at its start:\n  export PATH="%s:$PATH"\n' "$folder" ;;
  esac
  printf 'Sign in with: plinth login\n'
}

install_executable() {
  command -v gzip >/dev/null 2>&1 || fail "gzip is not there"
  fetch_checked "$url/_cli/$file" "$beside/plinth.gz" "$file"
  gzip -dc "$beside/plinth.gz" >"$beside/plinth" || fail "$file cannot be unpacked" "Nothing was installed"
  chmod 755 "$beside/plinth"
  "$beside/plinth" --version >/dev/null || fail "$file does not run on this machine" "Nothing was installed"
  [ ! -d "$folder/plinth" ] || fail "$folder/plinth is a folder" "Nothing was installed"
  mv -f "$beside/plinth" "$folder/plinth"
}

install_package() {
  command -v npm >/dev/null 2>&1 ||
    fail "this instance has no executable for $(uname -s) $(uname -m), and npm is not there" \
      "Install Node 20 or newer and run this again, or ask the operator for executables"
  fetch_checked "$url/cli.tgz" "$beside/cli.tgz" cli.tgz
  # npm puts programs in the bin folder of its prefix.
  case $folder in
    */bin) prefix=${folder%/bin} ;;
    *) prefix=$folder/npm ;;
  esac
  # With --force npm replaces an executable that it has not installed.
  npm install --global --prefix "$prefix" --force --offline --ignore-scripts --no-audit --no-fund --no-update-notifier \
    --cache "$beside/cache" "$beside/cli.tgz" >"$beside/npm.log" 2>&1 || {
    cat "$beside/npm.log" >&2
    fail "npm could not install the package"
  }
  [ "$prefix/bin" = "$folder" ] || ln -sf npm/bin/plinth "$folder/plinth"
}

# The address is where plinth publishes from now on, unless the user has chosen another.
remember() {
  known=$("$folder/plinth" config get base-url --format text 2>/dev/null) || known=?
  case $known in
    "$url") ;;
    "") "$folder/plinth" config set base-url "$url" --quiet >/dev/null ||
      printf 'Name this instance with: plinth config set base-url %s\n' "$url" ;;
    *) printf 'It publishes to another address. To change that: plinth config set base-url %s\n' "$url" ;;
  esac
}

# linux-x64, linux-arm64-musl, darwin-arm64, …; another system has no executable.
platform() {
  system=$(uname -s)
  machine=$(uname -m)
  case $machine in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) machine=unknown ;;
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
    MINGW* | MSYS* | CYGWIN*) fail "this script is for Linux and macOS" "On Windows: npm install --global $url/cli.tgz" ;;
    *) printf 'unknown' ;;
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

# fetch_checked <URL> <file> <name in SHA256SUMS>
fetch_checked() {
  wanted=$(checksum_of "$3" <"$beside/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS says nothing of $3" "Nothing was installed"
  fetch "$1" "$2"
  got=$($hasher <"$2" | cut -c 1-64)
  [ "$got" = "$wanted" ] ||
    fail "$3 is not what SHA256SUMS says" "wanted $wanted" "got    $got" "Nothing was installed; try again, and tell the operator of $url"
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
