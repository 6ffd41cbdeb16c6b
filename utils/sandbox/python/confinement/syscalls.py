"""System call numbers that the seccomp filter names, per architecture. None: the architecture has no such call."""

X86_64, AARCH64 = "x86_64", "aarch64"

_TABLE = """
ptrace 101 117              process_vm_readv 310 270    process_vm_writev 311 271   kcmp 312 272
pidfd_open 434 434          pidfd_getfd 438 438         pidfd_send_signal 424 424   process_madvise 440 440
process_mrelease 448 448    move_pages 279 239          migrate_pages 256 238       perf_event_open 298 241
mount 165 40                umount2 166 39              pivot_root 155 41           chroot 161 51
unshare 272 97              setns 308 268               mount_setattr 442 442       open_tree 428 428
move_mount 429 429          fsopen 430 430              fsconfig 431 431            fsmount 432 432
fspick 433 433              name_to_handle_at 303 264   open_by_handle_at 304 265   fanotify_init 300 262
mknod 133 -                 mknodat 259 33              quotactl 179 60             quotactl_fd 443 443
socket 41 198               io_uring_setup 425 425      io_uring_enter 426 426      io_uring_register 427 427
keyctl 250 219              add_key 248 217             request_key 249 218         bpf 321 280
userfaultfd 323 282         memfd_create 319 279        memfd_secret 447 447        personality 135 92
shmget 29 194               shmat 30 196                semget 64 190               msgget 68 186
mq_open 240 180             mq_unlink 241 181           syslog 103 116              acct 163 89
kexec_load 246 104          kexec_file_load 320 294     reboot 169 142              swapon 167 224
swapoff 168 225             init_module 175 105         finit_module 313 273        delete_module 176 106
sethostname 170 161         setdomainname 171 162       settimeofday 164 170        clock_settime 227 112
adjtimex 159 171            clock_adjtime 305 266       iopl 172 -                  ioperm 173 -
modify_ldt 154 -            uselib 134 -                lookup_dcookie 212 18       nfsservctl 180 42
vhangup 153 58              setpriority 141 140         ioprio_set 251 30           clone3 435 435

clone 56 220                fork 57 -                   vfork 58 -                  execve 59 221
execveat 322 281

kill 62 129                 tkill 200 130               tgkill 234 131              rt_sigqueueinfo 129 138
rt_tgsigqueueinfo 297 240

fcntl 72 25                 ioctl 16 29                 prlimit64 302 261           sched_setaffinity 203 122
sched_setscheduler 144 119  sched_setparam 142 118      sched_setattr 314 274

chmod 90 -                  fchmod 91 52                fchmodat 268 53             chown 92 -
fchown 93 55                lchown 94 -                 fchownat 260 54             utime 132 -
utimes 235 -                futimesat 261 -             utimensat 280 88            truncate 76 45
open 2 -                    openat 257 56               openat2 437 437             fallocate 285 47
sendmsg 46 211              sendmmsg 307 269            sendfile 40 71              splice 275 76
close_range 436 436         prctl 157 167               landlock_create_ruleset 444 444

setxattr 188 5              lsetxattr 189 6             fsetxattr 190 7             removexattr 197 14
lremovexattr 198 15         fremovexattr 199 16
"""


def numbers(machine):
    """{name: number} for a machine that `supported()` names."""
    column = {X86_64: 1, AARCH64: 2}[machine]
    words = _TABLE.split()
    rows = (words[start : start + 3] for start in range(0, len(words), 3))
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


def supported(machine):
    return machine in (X86_64, AARCH64)
