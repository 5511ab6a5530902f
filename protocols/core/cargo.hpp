/**
 * The references to objects that a message carries, from when it was read until it is taken apart.
 *
 * Who has read a message owns its references: objects of this process that it refers to are held,
 * so that no release that is read later ends them, and references to the sender's objects that
 * nobody takes over are given back with the message, however it ends. One thread at a time.
 */
#ifndef SHINAR_CORE_CARGO_HPP
#define SHINAR_CORE_CARGO_HPP

#include <memory>
#include <string>
#include <vector>

#include "forking.hpp"
#include "message.hpp"
#include "pin.hpp"

namespace shinar::wire {

class Callee;
class Host;

class Cargo {
 public:
  /** Whether the message refers to something, if its header says the truth. */
  static bool is_in(const Message& message) {
    return (message.header.flags & flag_references) != 0;
  }
  /**
   * Takes note of what a message refers to that was just read, if its header says that there is
   * something. `host`: where objects of this process are; NULL: nowhere. Throws Error if the list
   * is malformed.
   */
  static void unload(Message& message, Host* host, const std::shared_ptr<Callee>& sender);

  Cargo(const Cargo&) = delete;
  Cargo& operator=(const Cargo&) = delete;
  /** Gives back what was not taken; that may send releases and run destructors. A forked child has
   *  nothing to give back. */
  ~Cargo();

  /** A reference to an object of this process, at this place of the body. False: none is there. */
  bool take_home(std::size_t place, Pin& object);
  /** The sender's reference at this place of the body is taken over. */
  void take_over(std::size_t place);

 private:
  struct Item {
    std::size_t place;
    bool is_home;  ///< an object of this process
    bool taken;
    Pin object;      ///< if it is one; NULL: it is not here
    std::string id;  ///< else
  };

  Cargo() = default;
  void read(Message& message, Host* host);
  Item* find(std::size_t place, bool is_home);

  const Generation generation_{};
  std::shared_ptr<Callee> sender_;
  std::vector<Item> items_;
};

}  // namespace shinar::wire
#endif
