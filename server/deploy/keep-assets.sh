# sh keep-assets.sh FROM TO: copies the files of this build to TO, beside those of earlier builds, which open pages ask for,
# and those of instances not yet replaced; deletes what belongs to no build of the last 30 days.
set -e
cd "$2"
# From now on the build before is an earlier one: its files grow old from today.
if [ -e last-build ]; then xargs touch -c <last-build; fi
cp -r "$1/assets" .
(cd "$1" && find assets -type f) >last-build
find assets -type f -mtime +30 -delete
