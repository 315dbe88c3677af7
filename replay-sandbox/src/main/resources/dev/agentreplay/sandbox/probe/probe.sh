java=$1 own=$2 pid=$3 left=$4-$5 interpreters=$6
cd "$own" || exit 1
# no redirection around the loop: the shell would keep the replaced output in a descriptor
found=
for file in /proc/$$/fd/*; do
  # the glob itself opens a descriptor, which is closed by now
  if [ -e "$file" ]; then
    found="${found}seen\tfd\t${file##*/} $(readlink "$file" 2>/dev/null)\n"
  fi
done
printf '%b' "$found" >sh.out
kill -0 "$pid" 2>/dev/null && printf 'seen\tkill\t%s\n' "$pid" >>sh.out
script=
for interpreter in $interpreters; do
  if [ -z "$script" ] && command -v "$interpreter" >/dev/null 2>&1; then
    case $interpreter in
    perl) script=probe.pl ;;
    *) script=probe.py ;;
    esac
    "$interpreter" "$script" "abstract-$5" in >script.out 2>script.err &
  fi
done
if [ -z "$script" ]; then
  printf 'seen\tnointerpreter\tno interpreter of the script is in the sandbox\n' >>sh.out
fi
"$java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto -Xmx64m \
  -cp . dev.agentreplay.sandbox.probe.ProbeProgram parameters java.out 2>java.err
wait
leave="sleep 60; : $left"
if command -v setsid >/dev/null 2>&1; then
  setsid sh -c "$leave" </dev/null >/dev/null 2>&1 &
else
  (nohup sh -c "$leave" </dev/null >/dev/null 2>&1 &)
fi
echo end
read -r answer
exit 0
