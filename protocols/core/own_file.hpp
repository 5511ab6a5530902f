/**
 * Files on whose contents this process's trust rests: nobody else may change them.
 */
#ifndef SHINAR_CORE_OWN_FILE_HPP
#define SHINAR_CORE_OWN_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace shinar::wire {

/** What the group and other users may do with it. */
enum class Others : std::uint8_t { may_read, may_nothing };

/**
 * Its first bytes, at most `most`. `what`: "the secret file", for messages. Throws Error if it is
 * not a regular file of this process's user or root, or others may do more.
 */
std::vector<unsigned char> read_own_file(const std::string& what, const std::string& path,
                                         Others others, std::size_t most);
/** "the secret file 'x' has mode …" */
std::string of_file(const std::string& what, const std::string& path, const std::string& wrong);

}  // namespace shinar::wire
#endif
