// Ranks that MPI has started (mpirun, srun). The program loads this part when it finds that it is one of them
// (sim/cli/company.cpp), so that it neither needs nor starts MPI otherwise.
//
// REQUIRES: one thread at a time calls, but for lost(); any may.
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include "sim/explore/ranks.hpp"

namespace holdfast::ranks {
namespace {

// A process that searches, and where.
struct Place {
  char host[64] = {};
  int process = 0;
};

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    int rank = 0;
    int count = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    rank_ = static_cast<unsigned>(rank);
    unsent_.resize(static_cast<std::size_t>(count));
    Place own;
    gethostname(own.host, sizeof own.host - 1);
    own.process = getpid();
    places_.resize(unsent_.size());
    MPI_Allgather(&own, sizeof own, MPI_BYTE, places_.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  }
  void finish() override {
    while (!sends_.empty()) {
      collect();
      wait();
    }
    MPI_Finalize();
  }

  unsigned rank() const override { return rank_; }
  unsigned count() const override { return static_cast<unsigned>(unsent_.size()); }

  void send(unsigned to, std::string text) override {
    collect();
    unsent_[to] += text.size();
    Send& send = sends_.emplace_back(Send{to, std::move(text), {}});
    MPI_Isend(send.text.data(), static_cast<int>(send.text.size()), MPI_BYTE, static_cast<int>(to), tag,
              MPI_COMM_WORLD, &send.request);
  }

  std::optional<Message> receive() override {
    collect();
    int is_there = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{static_cast<unsigned>(status.MPI_SOURCE), std::string(static_cast<std::size_t>(size), 0)};
    MPI_Recv(message.text.data(), size, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  std::size_t unsent(unsigned to) const override { return unsent_[to]; }
  void wait() override {
    constexpr timespec moment{0, 50'000};
    ppoll(nullptr, 0, &moment, nullptr);
  }

  std::optional<std::string> lost() const override {
    for (unsigned other = 0; other < count(); ++other) {
      const bool is_needed = rank_ == 0 || other == 0;
      const Place& place = places_[other];
      if (!is_needed || other == rank_ || std::string(place.host) != places_[rank_].host) continue;
      if (kill(place.process, 0) == 0 || errno != ESRCH) continue;
      return "rank " + std::to_string(other) + " (process " + std::to_string(place.process) + " on " +
             place.host + ")";
    }
    return std::nullopt;
  }

 private:
  struct Send {
    unsigned to;
    std::string text;
    MPI_Request request;
  };
  static constexpr int tag = 1;

  // Forgets what was sent.
  void collect() {
    for (auto send = sends_.begin(); send != sends_.end();) {
      int is_sent = 0;
      MPI_Test(&send->request, &is_sent, MPI_STATUS_IGNORE);
      if (is_sent == 0) {
        ++send;
        continue;
      }
      unsent_[send->to] -= send->text.size();
      send = sends_.erase(send);
    }
  }

  unsigned rank_ = 0;
  std::vector<std::size_t> unsent_;
  std::vector<Place> places_;
  std::list<Send> sends_;
};

}  // namespace
}  // namespace holdfast::ranks

// The only name of this part.
extern "C" holdfast::Ranks* holdfast_begin_ranks() { return new holdfast::ranks::MpiRanks; }
