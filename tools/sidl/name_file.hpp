/**
 * Files in a folder that hosts share: whoever reads one finds all of it, or nothing.
 */
#ifndef SIDL_TOOL_NAME_FILE_HPP
#define SIDL_TOOL_NAME_FILE_HPP

#include <string>

namespace sidl_tool {

/** The variable with the file into which a server of a job writes its URL (docs/launch.md). */
constexpr const char* url_file_variable = "SIDL_URL_FILE";

/** Its owner may read it, and nobody else. Throws std::runtime_error, also if there is one. */
void write_new_file(const std::string& path, const std::string& text);

/** Empty if there is none yet. */
std::string read_new_file(const std::string& path);

/** Says in the job under which URL this server is reached; nothing if it is in none. */
void publish_url(const std::string& url);

}  // namespace sidl_tool
#endif
