// What choose knows of a user's situation, and what it finds out about the locks that fit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/lease.hpp"

namespace holdfast::cli {

// What a user has, to keep a lock in.
struct Deployment {
  std::string word;  // of --store
  StoreKind kind = StoreKind::redis;
  bool has_several_servers = false;  // of which a majority grants
  bool has_another = false;          // which may take over
  bool ends_sessions = false;        // of clients that live
  bool is_cluster = false;           // of nodes that refuse keys in two slots
  std::string about = {};            // for who is asked; empty: the word says it
};
// Those of Redis and nginx, and then each other store under its id.
const std::vector<Deployment>& deployments();

// What a candidate does when this strikes, beside the pauses that its ttl is made for.
struct Trial {
  Fault fault = Fault::none;
  Scenario scenario;
  Exploration found;
};

// Of a lock and its servers.
struct Settings : LockParams, ServerConfig {};

struct Candidate {
  const Card* card = nullptr;
  const Deployment* kept = nullptr;  // where
  Settings settings;                 // which the user's servers ask for
  LeaseReport lease;                 // on a coarse grid, but of the one that is recommended
  std::vector<Trial> trials;
  std::optional<Verdict> order;  // bounded-bypass, if it was asked for
  Cost cost;
  std::string why_not;  // it is out of the question; empty: it is not
};

// What is counted: two at work, and a lock that does not come back.
inline constexpr PropertySet of_safety = {Property::mutual_exclusion, Property::no_stale_write,
                                          Property::owner_only_release};
std::size_t violated(const Candidate& candidate, PropertySet among);
std::size_t undecided(const Candidate& candidate);
// Neither proved nor impossible: violated, or undecided, which may be as bad.
std::size_t unproved(const Candidate& candidate, PropertySet among);
// What may strike elsewhere, and was not explored here.
std::vector<Fault> not_covered(const Candidate& candidate);

// The locks for --store and --language; of those that hand out numbers, if the resource looks at them and
// there is such a one. Throws UserError where there is none.
std::vector<const Card*> fitting_cards(const ChooseOptions& options);
// How a lock is set up for the servers of the user. Replicas change what a grant is worth, so a lock that can
// ask them does.
Settings settings_for(const std::string& store, const Card& card);
// Whether its grants bring numbers, by its card.
bool has_numbers(const Card& card);

// Explores every candidate, the best first.
std::vector<Candidate> ranked_candidates(const ChooseOptions& options, Session& session);

}  // namespace holdfast::cli
