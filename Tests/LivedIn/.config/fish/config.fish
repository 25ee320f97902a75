set -g mine fish
