/**
 * What `sidl launch` tells the program that has started it, if one has (sidl.par.Launcher), line by
 * line: "servers" and their names, "serving" with a name and URLs, "ended" with the exit status.
 */
#ifndef SIDL_TOOL_REPORT_HPP
#define SIDL_TOOL_REPORT_HPP

#include <string>

namespace sidl_tool {

class Report {
 public:
  /**
   * A descriptor of a socket, which is the object's then; -1: nobody wants to know. When the other
   * end is closed this process gets SIGTERM. Throws UsageError if it is none.
   */
  explicit Report(int descriptor);
  ~Report();
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void tell(const std::string& line) const;

 private:
  const int descriptor_;
};

}  // namespace sidl_tool
#endif
