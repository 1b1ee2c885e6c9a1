#include "sim/live/store_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "sim/live/loopback.hpp"

namespace holdfast::live {
namespace {

constexpr const char* etcd_program = "/usr/bin/etcd";
constexpr const char* java = "/usr/bin/java";
constexpr const char* zookeeper_library = "/usr/share/java/zookeeper.jar";
// Debian 12 has this version; its programs stand beside those of others.
constexpr const char* postgres_programs = "/usr/lib/postgresql/15/bin/";

// PostgreSQL refuses to run as root.
constexpr uid_t nobody = 65534;
bool is_root() { return ::geteuid() == 0; }

bool is_free(std::uint16_t port) {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const bool is_bound = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(probe);
  return is_bound;
}
// Below those that the kernel gives to who connects: else a client that asks whether it is up could be
// connected to itself.
std::uint16_t free_port(int after) {
  constexpr int first = 20000;
  constexpr int count = 10000;
  for (int i = 0; i < count; ++i) {
    const auto port = static_cast<std::uint16_t>(first + (after + 1 + i) % count);
    if (is_free(port)) return port;
  }
  throw std::runtime_error("no port of the loopback is free");
}
std::string url(std::uint16_t port) { return "http://127.0.0.1:" + std::to_string(port); }

}  // namespace

std::string StoreProcess::missing(StoreKind kind) {
  const auto lacks = [](const std::string& file) { return ::access(file.c_str(), R_OK) != 0; };
  if (kind == StoreKind::postgres && lacks(std::string(postgres_programs) + "initdb"))
    return std::string("no ") + postgres_programs + "initdb: install postgresql-15";
  if (kind == StoreKind::etcd && lacks(etcd_program))
    return std::string("no ") + etcd_program + ": install etcd-server";
  if (kind == StoreKind::zookeeper && (lacks(java) || lacks(zookeeper_library)))
    return std::string("no ") + java + " or no " + zookeeper_library + ": install zookeeper";
  return std::string();
}

std::unique_ptr<StoreProcess> StoreProcess::start(StoreKind kind) {
  std::unique_ptr<StoreProcess> server(new StoreProcess(kind));
  server->process_ = server->spawn(server->command());
  server->wait_until_ready();
  return server;
}

StoreProcess::StoreProcess(StoreKind kind) : kind_(kind) {
  if (kind_ == StoreKind::postgres) make_database();
  if (kind_ == StoreKind::postgres) return;
  port_ = free_port(::getpid());
  if (kind_ == StoreKind::etcd) peer_port_ = free_port(port_);
  if (kind_ == StoreKind::zookeeper)
    std::ofstream(directory_.path() + "/zoo.cfg")
        << "tickTime=200\ndataDir=" << directory_.path()
        << "/data\nclientPortAddress=127.0.0.1\nclientPort=" << port_ << "\nadmin.enableServer=false\n";
}

StoreProcess::~StoreProcess() { end(); }

std::string StoreProcess::address() const {
  if (kind_ != StoreKind::postgres) return std::to_string(port_);
  return "host=" + directory_.path() + " user=holdfast dbname=postgres";
}

void StoreProcess::restart() {
  begin_restart();
  wait_until_ready();
}

void StoreProcess::begin_restart() {
  end();
  process_ = spawn(command());
}

pid_t StoreProcess::spawn(const std::vector<std::string>& words) const {
  const pid_t parent = ::getpid();
  const std::string log_path = log();
  const bool must_step_down = kind_ == StoreKind::postgres && is_root();
  const int last_will = kind_ == StoreKind::postgres ? SIGQUIT : SIGKILL;
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  argv.push_back(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "cannot start " + words.front());
  if (process != 0) return process;
  // In the child only async-signal-safe calls: the parent may have threads.
  const int out = ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int nowhere = ::open("/dev/null", O_RDONLY);
  ::dup2(nowhere, STDIN_FILENO);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(out, stream);
  if (must_step_down && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) ::_exit(1);
  if (must_step_down && ::chdir("/") != 0) ::_exit(1);
  ::prctl(PR_SET_PDEATHSIG, last_will);
  if (::getppid() != parent) ::_exit(1);
  ::execv(argv.front(), const_cast<char**>(argv.data()));
  ::_exit(127);
}

void StoreProcess::make_database() const {
  if (is_root() && ::chown(directory_.path().c_str(), nobody, nobody) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot give away " + directory_.path());
  const pid_t maker = spawn({std::string(postgres_programs) + "initdb", "-D", directory_.path() + "/data",
                             "-A", "trust", "-U", "holdfast", "--no-sync", "--locale=C"});
  int status = 0;
  if (::waitpid(maker, &status, 0) != maker || status != 0)
    throw std::runtime_error("initdb makes no database");
}

std::vector<std::string> StoreProcess::command() const {
  const std::string& path = directory_.path();
  // With no disk to wait for: nobody pulls its plug.
  if (kind_ == StoreKind::postgres)
    return {std::string(postgres_programs) + "postgres",
            "-D",
            path + "/data",
            "-k",
            path,
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off"};
  if (kind_ == StoreKind::etcd)
    return {etcd_program,
            "--data-dir=" + path + "/data",
            "--listen-client-urls=" + url(port_),
            "--advertise-client-urls=" + url(port_),
            "--listen-peer-urls=" + url(peer_port_),
            "--initial-advertise-peer-urls=" + url(peer_port_),
            "--initial-cluster=default=" + url(peer_port_)};
  // As Debian's /usr/share/zookeeper/bin/zkServer.sh does, with a small heap and the first compiler alone.
  return {java,
          "-Xmx64m",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Dzookeeper.4lw.commands.whitelist=*",
          "-cp",
          zookeeper_library,
          "org.apache.zookeeper.server.quorum.QuorumPeerMain",
          path + "/zoo.cfg"};
}

void StoreProcess::wait_until_ready() {
  constexpr int looks_most = 4000;
  for (int look = 0; look < looks_most; ++look) {
    if (is_ready()) return;
    if (::waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = -1;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  throw std::runtime_error(std::string(id_of(kind_)) + " does not start");
}

// pg_ctl -w looks here, too.
bool says_ready(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  constexpr int line_of_status = 8;
  for (int i = 0; i < line_of_status; ++i)
    if (!std::getline(file, line)) return false;
  return line.starts_with("ready");
}

bool StoreProcess::is_ready() const {
  switch (kind_) {
    case StoreKind::postgres: return says_ready(directory_.path() + "/data/postmaster.pid");
    case StoreKind::etcd: return !first_answer(port_, "GET /health HTTP/1.0\r\n\r\n", "true").empty();
    default: return !first_answer(port_, "srvr", "Mode: ").empty();
  }
}

// A PostgreSQL at once, and with all its processes (pg_ctl -m immediate): what they share is gone only then.
void StoreProcess::end() {
  if (process_ <= 0) return;
  ::kill(process_, kind_ == StoreKind::postgres ? SIGQUIT : SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

}  // namespace holdfast::live
