/**
 * Where the servers of a job listen, and how that is found out: at Unix-domain sockets of this
 * machine, or at ports that they choose on whatever hosts they are, and write into files.
 */
#ifndef SIDL_TOOL_PLACES_HPP
#define SIDL_TOOL_PLACES_HPP

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "guard.hpp"
#include "job.hpp"

namespace sidl_tool {

class Places {
 public:
  virtual ~Places() = default;

  /** Of the job, only for its owner, once make_folder() was called. */
  virtual const std::string& folder() const = 0;
  /** The guard removes it as well, if this process cannot. */
  virtual void make_folder(const Guard& guard) = 0;
  /** The host at which a server of the launcher's own listens; empty: a Unix-domain socket. */
  virtual std::string host() const = 0;
  /** What a rank is told to listen at. */
  virtual std::string address(const Program& program, int rank) const = 0;
  /** Under which it is reached; none: not known yet. */
  virtual std::optional<std::string> url(const Program& program, int rank) = 0;
  virtual bool is_serving(const Program& program, int rank) = 0;
  /** What to do where a rank has not served, for a message. */
  virtual std::string advice(const Program& program, int rank) const = 0;
  /** Further variables of a rank. */
  virtual std::map<std::string, std::string> variables(const Program& program, int rank) const = 0;
};

/** All ranks are on this machine. */
std::unique_ptr<Places> sockets_of_this_host(const Job& job);

/**
 * The ranks may be on several: their servers listen at `address`, a URL, and say in a folder below
 * `parent` at which one they are reached. Throws UsageError if the address, from `source`, is none.
 */
std::unique_ptr<Places> ports_of_hosts(const std::string& address, const std::string& source,
                                       const std::string& parent);

}  // namespace sidl_tool
#endif
