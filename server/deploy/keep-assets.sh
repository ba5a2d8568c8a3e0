# sh keep-assets.sh FROM TO: copies this build's files to TO, beside those of earlier builds, which open pages and
# instances not yet replaced still need; deletes files that no build of the last 30 days contains.
set -e
cd "$2"
# The previous build's files start ageing today.
if [ -e last-build ]; then xargs touch -c <last-build; fi
cp -r "$1/assets" .
(cd "$1" && find assets -type f) >last-build
find assets -type f -mtime +30 -delete
