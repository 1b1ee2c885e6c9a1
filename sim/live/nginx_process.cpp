#include "sim/live/nginx_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

#include "sim/live/blocking_client.hpp"

namespace holdfast::live {
namespace {

constexpr const char* program = "/usr/sbin/nginx";
constexpr std::array needed{program, "/usr/lib/nginx/modules/ngx_http_lua_module.so",
                            "/usr/lib/nginx/modules/ndk_http_module.so",
                            "/usr/share/lua/5.1/resty/core/shdict.lua"};

// The request whose connection becomes one of Redis' protocol, and the first command on it.
constexpr std::string_view preamble = "GET / HTTP/1.1\r\nHost: holdfast\r\n\r\n*1\r\n$4\r\nPING\r\n";

constexpr std::string_view configuration = R"(daemon off;
master_process off;
pid nginx.pid;
error_log error.log crit;
load_module /usr/lib/nginx/modules/ndk_http_module.so;
load_module /usr/lib/nginx/modules/ngx_http_lua_module.so;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  lua_package_path "/usr/share/lua/5.1/?.lua;;";
  lua_shared_dict locks ZONE;
  server {
    listen unix:DIRECTORY/nginx.sock;
    location / { content_by_lua_file DIRECTORY/commands.lua; }
  }
}
)";

constexpr std::string_view commands = R"(
local dict = ngx.shared.locks
local socket = assert(ngx.req.socket(true))
socket:settimeouts(3600000, 3600000, 3600000)

local function typed(text)
  if text == "true" then return true end
  if text == "false" then return false end
  if text:match("^%-?%d+$") then return tonumber(text) end
  return text
end
local function number(value) return ":" .. ("%d"):format(value) .. "\r\n" end
local function bulk(value)
  if value == nil then return "$-1\r\n" end
  if type(value) == "number" then value = ("%.14g"):format(value) end
  value = tostring(value)
  return "$" .. #value .. "\r\n" .. value .. "\r\n"
end
local function array(parts) return "*" .. #parts .. "\r\n" .. table.concat(parts) end
local function failure(err) return "-" .. tostring(err) .. "\r\n" end
local function done(ok, err, forcible)
  if not ok then return failure(err) end
  return forcible and "+OK forcible\r\n" or "+OK\r\n"
end
local function storing(method)
  return function(key, value, time) return done(dict[method](dict, key, typed(value), tonumber(time))) end
end
local function listing(method)
  return function(key, ...)
    local result, err = dict[method](dict, key, ...)
    if err then return failure(err) end
    return method:sub(2) == "pop" and bulk(result) or number(result)
  end
end
local perform = {
  ADD = storing("add"), SAFE_ADD = storing("safe_add"), SAFE_SET = storing("safe_set"),
  REPLACE = storing("replace"), LPUSH = listing("lpush"), RPUSH = listing("rpush"), LPOP = listing("lpop"),
  RPOP = listing("rpop"), LLEN = listing("llen"),
}
-- Redis' own options too, for those who ask whether a server can be used.
function perform.SET(key, value, time, ms)
  if time == "PX" then time = tonumber(ms) / 1000 end
  return done(dict:set(key, typed(value), tonumber(time)))
end
function perform.DELETE(key) return done(dict:delete(key)) end
function perform.DEL(key)
  dict:delete(key)
  return number(1)
end
function perform.GET(key)
  local value, err = dict:get(key)
  if value == nil and err then return failure(err) end
  return bulk(value)
end
function perform.GET_STALE(key)
  local value, err, stale = dict:get_stale(key)
  if value == nil then return err and failure(err) or "$-1\r\n" end
  return array({bulk(value), number(stale and 1 or 0)})
end
function perform.INCR(key, by, init, ttl)
  local value, err = dict:incr(key, tonumber(by), tonumber(init), tonumber(ttl))
  return value and number(value) or failure(err)
end
function perform.EXPIRE(key, time) return done(dict:expire(key, tonumber(time))) end
function perform.TTL(key)
  local value, err = dict:ttl(key)
  return value and bulk(("%.3f"):format(value):gsub("%.?0+$", "")) or failure(err)
end
function perform.PTTL(key)
  if dict:get(key) == nil then return number(-2) end
  local ttl = dict:ttl(key)
  return number(ttl == 0 and -1 or ttl * 1000)
end
function perform.EXISTS(key) return number(dict:get(key) == nil and 0 or 1) end
function perform.FLUSH_ALL()
  dict:flush_all()
  return "+OK\r\n"
end
function perform.FLUSH_EXPIRED(max) return number(dict:flush_expired(tonumber(max or 0))) end
function perform.GET_KEYS(max)
  local keys = dict:get_keys(tonumber(max or 1024))
  for i, key in ipairs(keys) do keys[i] = bulk(key) end
  return array(keys)
end
function perform.PING() return "+PONG\r\n" end
function perform.INFO() return bulk("redis_version:nginx/" .. ngx.config.nginx_version .. "\r\n") end

local function receive()
  local line = socket:receive("*l")
  if not line then return nil end
  local words = {}
  for i = 1, tonumber(line:sub(2)) do
    local size = tonumber(socket:receive("*l"):sub(2))
    words[i] = size == 0 and "" or socket:receive(size)
    socket:receive(2)
  end
  return words
end
while true do
  local words = receive()
  if not words then return end
  local method = perform[words[1]]
  local answer
  if not method then answer = failure("there is no command " .. words[1])
  else
    local ok, result = pcall(method, unpack(words, 2))
    answer = ok and result or failure((tostring(result):gsub("^.-: ", "")))
  end
  ngx.update_time()
  if not socket:send(answer) then return end
end
)";

void write(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

std::string NginxProcess::missing() {
  for (const char* file : needed)
    if (::access(file, R_OK) != 0)
      return std::string("no ") + file + ": install nginx, libnginx-mod-http-lua and lua-resty-core";
  return std::string();
}

std::unique_ptr<NginxProcess> NginxProcess::start(const std::string& zone) {
  std::unique_ptr<NginxProcess> server(new NginxProcess(zone));
  server->spawn();
  server->wait_until_ready();
  return server;
}

NginxProcess::NginxProcess(const std::string& zone) {
  std::string text(configuration);
  const auto fill = [&text](std::string_view place, const std::string& by) {
    for (std::size_t at = text.find(place); at != text.npos; at = text.find(place))
      text.replace(at, place.size(), by);
  };
  fill("ZONE", zone);
  fill("DIRECTORY", directory_.path());
  write(directory_.path() + "/nginx.conf", text);
  write(directory_.path() + "/commands.lua", commands);
}

NginxProcess::~NginxProcess() { end(); }

Address NginxProcess::address() const {
  Address address = at_socket(directory_.path() + "/nginx.sock");
  address.preamble = preamble;
  return address;
}

std::string NginxProcess::version() const {
  const std::string info = BlockingClient(address()).send({"INFO"}).text();
  const int number = std::stoi(info.substr(info.find('/') + 1));
  return "nginx/" + std::to_string(number / 1000000) + "." + std::to_string(number / 1000 % 1000) + "." +
         std::to_string(number % 1000);
}

void NginxProcess::restart() {
  end();
  std::error_code ignored;
  std::filesystem::remove(directory_.path() + "/nginx.sock", ignored);
  spawn();
  wait_until_ready();
}

void NginxProcess::spawn() {
  const pid_t parent = ::getpid();
  const std::string prefix = directory_.path() + "/";
  process_ = ::fork();
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "cannot start nginx");
  if (process_ != 0) return;
  // In the child only async-signal-safe calls: the parent may have threads.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  ::execl(program, "nginx", "-p", prefix.c_str(), "-c", "nginx.conf", "-e", "error.log", nullptr);
  ::_exit(1);
}

void NginxProcess::end() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

void NginxProcess::wait_until_ready() {
  constexpr int attempts_most = 1000;
  for (int attempt = 0; attempt < attempts_most; ++attempt) {
    try {
      BlockingClient client(address());
      if (client.send({"PING"}) == Reply::status("PONG")) return;
    } catch (const std::runtime_error&) {
      if (::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
      if (process_ < 0) break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  throw std::runtime_error("nginx does not start");
}

}  // namespace holdfast::live
