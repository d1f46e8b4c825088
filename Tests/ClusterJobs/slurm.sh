#!/usr/bin/env bash
# Runs Fixtures/CI/slurm.sh for real, on a cluster of one node that it starts for itself: slurm.sh TOOL.
# Exit code 77 without Slurm. No right is needed that its user has not, and no systemd.
# shellcheck source=Tests/ClusterJobs/common.sh
. "$(dirname "$0")/common.sh"
# Debian keeps servers where only root looks for programs.
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch squeue scontrol scancel sinfo pgrep setsid; do
  command -v "$program" > /dev/null \
    || skip "no $program; install Slurm and MUNGE (Debian: slurmctld slurmd slurm-client munge procps util-linux)"
done
export SLURM_CONF=$folder/slurm.conf
servers=()

# listens PORT: whether a process of this machine does.
listens() { (: < "/dev/tcp/127.0.0.1/$1") 2> /dev/null; }

start_servers() {
  local user name port
  user=$(id -un)
  name=$(hostname -s)
  for ((i = 0; i < 100; i++)); do
    port=$((20000 + (RANDOM * 32768 + RANDOM) % 10000))
    if ! listens "$port" && ! listens $((port + 1)); then break; fi
  done
  mkdir "$folder/spool" "$folder/state"
  cat > "$SLURM_CONF" << END
ClusterName=shards
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
# A requeued job waits for its old credential to expire, two minutes unless told otherwise.
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/jobcomp
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,batch_sched_delay=1
SlurmdParameters=config_overrides
ReturnToService=2
MailProg=$(command -v true)
KillWait=5
NodeName=$name NodeAddr=127.0.0.1 CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=4096
PartitionName=all Nodes=$name Default=YES MaxTime=INFINITE State=UP
END
  (umask 077 && head -c 1024 /dev/urandom > "$folder/munge.key")
  # In sessions of their own: what ends this script must leave them until the jobs are cancelled, or a job's
  # watcher waits for ever to tell of its end. And for no longer than anything here takes.
  # Forced, as its folder belongs to one user, which a socket for all users of a machine would not do.
  setsid timeout 1000 munged --foreground --force --num-threads=1 --key-file="$folder/munge.key" \
    --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" --log-file="$folder/munge.log" \
    --seed-file="$folder/munge.seed" > "$folder/munge.out" 2>&1 &
  servers+=($!)
  wait_for "munged" 60 test -S "$folder/munge.socket"
  setsid timeout 1000 slurmctld -D -f "$SLURM_CONF" > "$folder/slurmctld.out" 2>&1 &
  servers+=($!)
  wait_for "slurmctld" 60 listens "$port"
  setsid timeout 1000 slurmd -D -f "$SLURM_CONF" > "$folder/slurmd.out" 2>&1 &
  servers+=($!)
  wait_for "the node" 60 is_idle
}

is_idle() { [ "$(timeout 10 sinfo --noheader --format %t 2> /dev/null)" = idle ]; }

# wait_for WHAT SECONDS COMMAND…
wait_for() {
  local what=$1 seconds=$2
  shift 2
  for ((i = 0; i < seconds * 5; i++)); do
    if "$@"; then return; fi
    sleep 0.2
  done
  tail -n 20 "$folder"/*.log "$folder"/*.out >&2 || :
  fail "waited $seconds s for $what in vain"
}

# Also jobs that are about to end are in the queue. A server that does not answer says nothing about it.
is_empty() {
  local queue
  queue=$(timeout 10 squeue --noheader 2> /dev/null) && [ -z "$queue" ]
}

# In turn: jobs, then the servers by their numbers, the last first.
stop_servers() {
  local i
  if [ ${#servers[@]} -eq 3 ]; then
    timeout 10 scancel --user="$(id -un)" 2> /dev/null || :
    for ((i = 0; i < 50; i++)); do
      if is_empty; then break; fi
      sleep 0.2
    done
  fi
  for ((i = ${#servers[@]} - 1; i >= 0; i--)); do
    kill -TERM "${servers[i]}" 2> /dev/null || :
    timeout 10 tail --pid="${servers[i]}" -f /dev/null || kill -KILL "${servers[i]}" 2> /dev/null || :
    wait "${servers[i]}" 2> /dev/null || :
  done
  # The watcher of a job that could not be cancelled in time; other clusters on this machine have theirs.
  for i in $(pgrep -x slurmstepd || :); do
    if grep -qsz "^SLURM_CONF=$SLURM_CONF\$" "/proc/$i/environ"; then kill -KILL "$i" || :; fi
  done
}

# submit NAME SHARDS [options]: leaves the numbers of both jobs in $array and $merge.
submit() {
  local name=$1 shards=$2
  shift 2
  timeout 30 env SHARDS="$shards" OUTPUT="$folder/$name" Fixtures/CI/slurm.sh "$@" | tee "$folder/$name.log"
  array=$(sed -n 's/^shards: job \([0-9]*\),.*/\1/p' "$folder/$name.log")
  merge=$(sed -n 's/^merge: job \([0-9]*\),.*/\1/p' "$folder/$name.log")
}

# state JOB: how it ended, and its exit code.
state() { timeout 10 scontrol --oneliner show job "$1" | sed 's/.* JobState=\([A-Z_]*\) .* ExitCode=\([0-9:]*\) .*/\1 \2/'; }

# finish NAME: waits for all jobs, and shows what the shards have said.
finish() {
  wait_for "the jobs of $1" 300 is_empty
  tail -n +1 "$folder/$1"/slurm-shard-*.log
  echo "the merge: $(state "$merge")"
}

start_servers
timeout 10 sinfo --long

echo "== three shards"
one_process one 1 "${campaign[@]}"
submit three 3 "${campaign[@]}" -- --format junit
finish three
[ "$(state "$merge")" = "FAILED 1:0" ] || { cat "$folder/three/slurm-merge.log"; fail "the merge did not end with finds"; }
same one "$folder/three/merged"
grep -q '<testsuite' "$folder/three/slurm-merge.log" || fail "the merge was not given its options"

echo "== a shard that is requeued goes on"
long=(--runs 15000 --seed 8 --model Fixtures/Models/Note.model --known none --steps 10)
one_process long 1 "${long[@]}"
submit requeued 3 "${long[@]}"
wait_for "shard 2" 60 test -e "$folder/requeued/shard-2/campaign.json"
timeout 10 scontrol requeue "${array}_2"
finish requeued
grep -q 'shard 2/3: goes on' "$folder/requeued/slurm-shard-2.log" || fail "shard 2 did not go on"
same long "$folder/requeued/merged"

echo "== shards that fail are not merged"
submit bad 3 --runs 300 --nonsense 1
finish bad
[ "$(state "$merge" | cut -d ' ' -f 1)" = CANCELLED ] || fail "the merge was not cancelled"
[ ! -e "$folder/bad/merged" ] || fail "shards that failed were merged"

echo "== one shard that fails, put right and submitted again"
mkdir "$folder/partly"
: > "$folder/partly/shard-2"
submit partly 3 "${campaign[@]}"
finish partly
[ "$(state "$merge" | cut -d ' ' -f 1)" = CANCELLED ] || fail "the merge was not cancelled"
[ ! -e "$folder/partly/merged" ] || fail "two shards of three were merged"
rm "$folder/partly/shard-2"
submit partly 3 "${campaign[@]}"
finish partly
[ "$(state "$merge")" = "FAILED 1:0" ] || { cat "$folder/partly/slurm-merge.log"; fail "the merge did not end with finds"; }
[ "$(cat "$folder/partly"/slurm-shard-[13].log | grep -c 'had ended')" -eq 2 ] || fail "shards that had ended ran again"
same one "$folder/partly/merged"

echo "== all jobs"
cat "$folder/jobcomp"
