// The values that clients were told in a run.
#pragma once

namespace holdfast {

// What a client or the store may know and states must therefore say: that clocks are read, and so how they
// differ; absolute times (else only how long ago things were); which client is which (else they may change
// places); tokens of others (else each knows only of its own; who knows of others', knows the clients); the
// names of tokens (else tokens and acquisitions are told apart, and those of one client have an order, no
// more); and whose writes a replica lacks (else only which). And whether grants bring numbers, whose order
// then matters, and whether it matters since when transactions last, and what a server has counted.
struct Knowledge {
  bool of_time = false;
  bool of_date = false;
  bool of_clients = false;
  bool of_others = false;
  bool of_names = false;
  bool of_writers = false;
  bool of_numbers = false;
  bool of_transactions = false;
  bool of_counts = false;
  bool operator==(const Knowledge&) const = default;
  bool covers(const Knowledge& other) const {
    return (of_time || !other.of_time) && (of_date || !other.of_date) && (of_clients || !other.of_clients) &&
           (of_others || !other.of_others) && (of_names || !other.of_names) &&
           (of_writers || !other.of_writers) && (of_numbers || !other.of_numbers) &&
           (of_transactions || !other.of_transactions) && (of_counts || !other.of_counts);
  }
  void insert(const Knowledge& other) {
    of_time |= other.of_time;
    of_date |= other.of_date;
    of_clients |= other.of_clients;
    of_others |= other.of_others;
    of_names |= other.of_names;
    of_writers |= other.of_writers;
    of_numbers |= other.of_numbers;
    of_transactions |= other.of_transactions;
    of_counts |= other.of_counts;
  }
};

}  // namespace holdfast
