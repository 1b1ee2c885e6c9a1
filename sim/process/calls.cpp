#include "sim/process/calls.hpp"

#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/core/invariant.hpp"

namespace holdfast::process {
namespace {

// In the order of their numbers (Linux, arch/x86/entry/syscalls/syscall_64.tbl); "-": there is none.
constexpr std::string_view names =
    "read write open close stat fstat lstat poll lseek mmap mprotect munmap brk rt_sigaction "
    "rt_sigprocmask rt_sigreturn ioctl pread64 pwrite64 readv writev access pipe select "
    "sched_yield mremap msync mincore madvise shmget shmat shmctl dup dup2 pause nanosleep "
    "getitimer alarm setitimer getpid sendfile socket connect accept sendto recvfrom sendmsg "
    "recvmsg shutdown bind listen getsockname getpeername socketpair setsockopt getsockopt clone "
    "fork vfork execve exit wait4 kill uname semget semop semctl shmdt msgget msgsnd msgrcv msgctl "
    "fcntl flock fsync fdatasync truncate ftruncate getdents getcwd chdir fchdir rename mkdir "
    "rmdir creat link unlink symlink readlink chmod fchmod chown fchown lchown umask gettimeofday "
    "getrlimit getrusage sysinfo times ptrace getuid syslog getgid setuid setgid geteuid getegid "
    "setpgid getppid getpgrp setsid setreuid setregid getgroups setgroups setresuid getresuid "
    "setresgid getresgid getpgid setfsuid setfsgid getsid capget capset rt_sigpending "
    "rt_sigtimedwait rt_sigqueueinfo rt_sigsuspend sigaltstack utime mknod uselib personality "
    "ustat statfs fstatfs sysfs getpriority setpriority sched_setparam sched_getparam "
    "sched_setscheduler sched_getscheduler sched_get_priority_max sched_get_priority_min "
    "sched_rr_get_interval mlock munlock mlockall munlockall vhangup modify_ldt pivot_root _sysctl "
    "prctl arch_prctl adjtimex setrlimit chroot sync acct settimeofday mount umount2 swapon "
    "swapoff reboot sethostname setdomainname iopl ioperm create_module init_module delete_module "
    "get_kernel_syms query_module quotactl nfsservctl getpmsg putpmsg afs_syscall tuxcall security "
    "gettid readahead setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr "
    "llistxattr flistxattr removexattr lremovexattr fremovexattr tkill time futex "
    "sched_setaffinity sched_getaffinity set_thread_area io_setup io_destroy io_getevents "
    "io_submit io_cancel get_thread_area lookup_dcookie epoll_create epoll_ctl_old epoll_wait_old "
    "remap_file_pages getdents64 set_tid_address restart_syscall semtimedop fadvise64 timer_create "
    "timer_settime timer_gettime timer_getoverrun timer_delete clock_settime clock_gettime "
    "clock_getres clock_nanosleep exit_group epoll_wait epoll_ctl tgkill utimes vserver mbind "
    "set_mempolicy get_mempolicy mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify "
    "mq_getsetattr kexec_load waitid add_key request_key keyctl ioprio_set ioprio_get inotify_init "
    "inotify_add_watch inotify_rm_watch migrate_pages openat mkdirat mknodat fchownat futimesat "
    "newfstatat unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat pselect6 ppoll "
    "unshare set_robust_list get_robust_list splice tee sync_file_range vmsplice move_pages "
    "utimensat epoll_pwait signalfd timerfd_create eventfd fallocate timerfd_settime "
    "timerfd_gettime accept4 signalfd4 eventfd2 epoll_create1 dup3 pipe2 inotify_init1 preadv "
    "pwritev rt_tgsigqueueinfo perf_event_open recvmmsg fanotify_init fanotify_mark prlimit64 "
    "name_to_handle_at open_by_handle_at clock_adjtime syncfs sendmmsg setns getcpu "
    "process_vm_readv process_vm_writev kcmp finit_module sched_setattr sched_getattr renameat2 "
    "seccomp getrandom memfd_create kexec_file_load bpf execveat userfaultfd membarrier mlock2 "
    "copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc pkey_free statx io_pgetevents rseq "
    "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - "
    "- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - "
    "pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen "
    "fsconfig fsmount fspick pidfd_open clone3 close_range openat2 pidfd_getfd faccessat2 "
    "process_madvise epoll_pwait2 mount_setattr quotactl_fd landlock_create_ruleset "
    "landlock_add_rule landlock_restrict_self memfd_secret process_mrelease futex_waitv "
    "set_mempolicy_home_node "
    "cachestat fchmodat2 map_shadow_stack futex_wake futex_wait futex_requeue statmount listmount "
    "lsm_get_self_attr lsm_set_self_attr lsm_list_modules mseal ";

struct Row {
  Treatment treatment;
  std::string_view calls;
};
constexpr Row rows[] = {
    {Treatment::native,
     "write writev close stat fstat lstat lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask "
     "rt_sigreturn ioctl pread64 pwrite64 access pipe sched_yield mremap msync mincore madvise dup "
     "dup2 dup3 sendfile sendto sendmsg shutdown socketpair exit wait4 fcntl flock fsync fdatasync "
     "getdents getdents64 getcwd chdir fchdir umask getrlimit getuid getgid geteuid getegid getpgrp "
     "getpgid getsid getgroups getresuid getresgid setsid setpgid sigaltstack statfs fstatfs prctl "
     "arch_prctl sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max "
     "sched_get_priority_min sched_getattr getpriority set_tid_address restart_syscall fadvise64 "
     "epoll_create epoll_create1 epoll_ctl eventfd eventfd2 pipe2 preadv preadv2 pwritev faccessat "
     "faccessat2 newfstatat statx set_robust_list get_robust_list getcpu membarrier mlock munlock "
     "rseq close_range pkey_alloc pkey_free pkey_mprotect memfd_create capget capset copy_file_range "
     "ftruncate fallocate prlimit64 setrlimit getxattr lgetxattr fgetxattr mlockall munlockall "
     "signalfd4 pidfd_open pidfd_send_signal rt_sigpending get_mempolicy readahead splice tee "
     "inotify_init1 inotify_add_watch"},
    {Treatment::waited,
     "read readv recvfrom recvmsg poll ppoll select pselect6 epoll_wait epoll_pwait epoll_pwait2 "
     "nanosleep clock_nanosleep futex"},
    {Treatment::answered,
     "clock_gettime gettimeofday time clock_getres getrandom getpid getppid times getrusage socket "
     "connect getsockname getpeername getsockopt clone fork vfork execve open openat creat setitimer "
     "alarm timer_create getitimer exit_group kill tkill tgkill readlink readlinkat gettid uname sysinfo"},
    {Treatment::ignored,
     "setsockopt sched_setaffinity sched_setscheduler sched_setparam setpriority timer_settime "
     "timer_delete timer_gettime timer_getoverrun mbind set_mempolicy fchmod utimensat"},
    {Treatment::missing,
     "clone3 io_uring_setup timerfd_create perf_event_open userfaultfd openat2 landlock_create_ruleset "
     "futex_waitv cachestat mseal map_shadow_stack fchmodat2 process_madvise rt_sigtimedwait"},
    {Treatment::read_only,
     "mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat "
     "truncate chmod fchmodat chown fchown lchown fchownat utime utimes futimesat mknod mknodat "
     "setxattr lsetxattr fsetxattr removexattr"},
};

// Of the words in `text`.
template <class See>
void for_each_word(std::string_view text, const See& see) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end != 0) see(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<std::string_view> make_names() {
  std::vector<std::string_view> list;
  for_each_word(names, [&](std::string_view name) { list.push_back(name); });
  return list;
}

const std::vector<std::string_view>& names_by_number() {
  static const std::vector<std::string_view> list = make_names();
  return list;
}

std::vector<Treatment> make_treatments() {
  std::vector<Treatment> list(names_by_number().size(), Treatment::unknown);
  for (const Row& row : rows)
    for_each_word(row.calls, [&](std::string_view name) {
      Treatment& one = list[static_cast<std::size_t>(call_named(name))];
      INVARIANT(one == Treatment::unknown, "each system call stands in one row");
      one = row.treatment;
    });
  return list;
}

const std::vector<Treatment>& treatments() {
  static const std::vector<Treatment> list = make_treatments();
  return list;
}

constexpr std::uint32_t x32_bit = 0x40000000;

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter jump_if(int comparison, std::uint32_t value, int yes, int no) {
  return {static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), static_cast<std::uint8_t>(yes),
          static_cast<std::uint8_t>(no), value};
}
sock_filter end_with(std::uint32_t what) { return BPF_STMT(BPF_RET | BPF_K, what); }
constexpr std::size_t argument(int index) { return offsetof(seccomp_data, args) + 8 * index; }
constexpr std::size_t number = offsetof(seccomp_data, nr);

// read() and readv() are waits only if they read what the supervisor feeds: stdin and sockets.
void add_reads(std::vector<sock_filter>& filter) {
  for (const std::string_view name : {"read", "readv"}) {
    filter.push_back(jump_if(BPF_JEQ, static_cast<std::uint32_t>(call_named(name)), 0, 5));
    filter.push_back(load(argument(0)));
    filter.push_back(jump_if(BPF_JEQ, 0, 1, 0));
    filter.push_back(jump_if(BPF_JGE, first_socket, 0, 1));
    filter.push_back(end_with(SECCOMP_RET_USER_NOTIF));
    filter.push_back(end_with(SECCOMP_RET_ALLOW));
  }
}

// A thread that waits for another one, without a time, is the kernel's business; so is waking.
void add_futex(std::vector<sock_filter>& filter) {
  filter.push_back(jump_if(BPF_JEQ, static_cast<std::uint32_t>(call_named("futex")), 0, 11));
  filter.push_back(load(argument(1)));
  filter.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, static_cast<std::uint32_t>(FUTEX_CMD_MASK)));
  filter.push_back(jump_if(BPF_JEQ, FUTEX_WAIT, 2, 0));
  filter.push_back(jump_if(BPF_JEQ, FUTEX_WAIT_BITSET, 1, 0));
  filter.push_back(end_with(SECCOMP_RET_ALLOW));
  filter.push_back(load(argument(3)));
  filter.push_back(jump_if(BPF_JEQ, 0, 0, 2));
  filter.push_back(load(argument(3) + 4));
  filter.push_back(jump_if(BPF_JEQ, 0, 1, 0));
  filter.push_back(end_with(SECCOMP_RET_USER_NOTIF));
  filter.push_back(end_with(SECCOMP_RET_ALLOW));
}

}  // namespace

Treatment treatment_of(int call) {
  const auto index = static_cast<std::size_t>(call);
  return index < treatments().size() ? treatments()[index] : Treatment::unknown;
}

std::string name_of(int call) {
  const auto index = static_cast<std::size_t>(call);
  if (index < names_by_number().size() && names_by_number()[index] != "-")
    return std::string(names_by_number()[index]);
  return fmt::format("system call {}", call);
}

int call_named(std::string_view name) {
  const std::vector<std::string_view>& all = names_by_number();
  const auto found = std::find(all.begin(), all.end(), name);
  INVARIANT(found != all.end(), "a row names a system call of x86-64");
  return static_cast<int>(found - all.begin());
}

std::vector<sock_filter> make_filter() {
  std::vector<sock_filter> filter;
  filter.push_back(load(offsetof(seccomp_data, arch)));
  filter.push_back(jump_if(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0));
  filter.push_back(end_with(SECCOMP_RET_KILL_PROCESS));
  filter.push_back(load(number));
  filter.push_back(jump_if(BPF_JGE, x32_bit, 0, 1));
  filter.push_back(end_with(SECCOMP_RET_KILL_PROCESS));
  add_reads(filter);
  add_futex(filter);
  for (std::size_t call = 0; call < treatments().size(); ++call)
    if (treatments()[call] == Treatment::native) {
      filter.push_back(jump_if(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1));
      filter.push_back(end_with(SECCOMP_RET_ALLOW));
    }
  filter.push_back(end_with(SECCOMP_RET_USER_NOTIF));
  return filter;
}

}  // namespace holdfast::process
