/** Frames over a socket pair: every type, every way of cutting them, limits. */
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "core/frame_reader.hpp"
#include "raw_frames.hpp"
#include "test_host.hpp"

using namespace shinar::wire;

namespace {

/** Gives the reader the bytes of a stream, at most `piece` at a time. */
class Bytes : public Receiver {
 public:
  Bytes(std::vector<std::byte> bytes, std::size_t piece)
      : bytes_(std::move(bytes)), piece_(piece) {}
  ssize_t receive(void* to, std::size_t size, bool) override {
    if (starve_ && at_ < bytes_.size()) {
      starve_ = false;
      errno = EAGAIN;
      return -1;
    }
    starve_ = true;
    const std::size_t count = std::min({size, piece_, bytes_.size() - at_});
    if (count != 0) std::memcpy(to, bytes_.data() + at_, count);
    at_ += count;
    return static_cast<ssize_t>(count);
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t piece_;
  std::size_t at_ = 0;
  bool starve_ = true;
};

/** A frame as the writer puts it on a socket. */
std::vector<std::byte> written(FrameHeader header, Encoder& encoder) {
  complete_header(header, encoder, 1u << 20, 1u << 30);
  int ends[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  Socket from(ends[0]);
  Socket to(ends[1]);
  std::thread sender([&] {
    send_frame(from.fd(), {}, header, encoder);
    from.shut_down();
  });
  std::vector<std::byte> bytes;
  std::byte part[1000];
  for (ssize_t got = 0; (got = ::recv(to.fd(), part, sizeof part, 0)) > 0;) {
    bytes.insert(bytes.end(), part, part + got);
  }
  sender.join();
  return bytes;
}

FrameReader make_reader(Limits limits = {}) {
  return FrameReader(limits, std::make_shared<Budget>(limits.memory_bytes));
}

/** Reads on until something else than `nothing` comes. */
FrameReader::Status read(FrameReader& reader, Receiver& receiver, ReceiveBuffer& buffer,
                         Message& message) {
  for (;;) {
    const auto status = reader.next(receiver, buffer, message);
    if (status != FrameReader::Status::nothing) return status;
  }
}

}  // namespace

TEST(Frame, EveryTypeHowEverItIsCut) {
  const std::vector<double> values(3000, 3.25);
  for (int type = 1; type <= 14; ++type) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100000}}) {
      Encoder encoder;
      encoder.put(std::int32_t{type});
      if (type % 2 == 0) put_doubles(encoder, values);
      FrameHeader header;
      header.type = static_cast<std::uint8_t>(type);
      header.flags = 1;
      header.request = 99;
      header.method = 7;
      header.deadline = 12;
      std::vector<std::byte> bytes = written(header, encoder);
      const std::vector<std::byte> twice = [&] {
        auto both = bytes;
        both.insert(both.end(), bytes.begin(), bytes.end());
        return both;
      }();
      Bytes source(twice, piece);
      FrameReader reader = make_reader();
      ReceiveBuffer buffer;
      for (int i = 0; i < 2; ++i) {
        Message message;
        ASSERT_EQ(read(reader, source, buffer, message), FrameReader::Status::message);
        EXPECT_EQ(message.header.type, type);
        EXPECT_EQ(message.header.flags, 1);
        EXPECT_EQ(message.header.request, 99u);
        EXPECT_EQ(message.header.method, 7u);
        EXPECT_EQ(message.header.deadline, 12u);
        Decoder decoder(message);
        EXPECT_EQ(decoder.get<std::int32_t>(), type);
        if (type % 2 == 0) {
          const auto array = decoder.get_array(Kind::double_);
          ASSERT_NE(array.block, nullptr);
          EXPECT_EQ(std::memcmp(array.block->data(), values.data(), 24000), 0);
        }
      }
      Message message;
      EXPECT_EQ(read(reader, source, buffer, message), FrameReader::Status::closed);
    }
  }
}

TEST(Frame, AStreamThatEndsWithinAFrameFails) {
  Encoder encoder;
  encoder.put(std::int64_t{1});
  const std::vector<double> values(2000, 1.0);
  put_doubles(encoder, values);
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::request);
  const std::vector<std::byte> bytes = written(header, encoder);
  for (const std::size_t size :
       {std::size_t{1}, header_bytes, header_bytes + 8, header_bytes + 20, bytes.size() - 1}) {
    Bytes source({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}, 4096);
    FrameReader reader = make_reader();
    ReceiveBuffer buffer;
    Message message;
    EXPECT_EQ(read(reader, source, buffer, message), FrameReader::Status::failed) << size;
    EXPECT_TRUE(reader.within_frame());
  }
}

namespace {

/** Reads one frame made of a header and what follows; returns the error's text, or "". */
std::string error_of(const FrameHeader& header, const std::vector<std::uint64_t>& table,
                     std::size_t body, const Limits& limits) {
  std::vector<std::byte> bytes(header_bytes + table.size() * 8 + body);
  std::memcpy(bytes.data(), &header, header_bytes);
  if (!table.empty()) std::memcpy(bytes.data() + header_bytes, table.data(), table.size() * 8);
  Bytes source(bytes, 100000);
  FrameReader reader = make_reader(limits);
  ReceiveBuffer buffer;
  Message message;
  try {
    read(reader, source, buffer, message);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::protocol);
    return error.what();
  }
  return "";
}

FrameHeader request_header(std::uint32_t body, std::uint16_t segments, std::uint64_t bulk) {
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::request);
  header.body = body;
  header.segments = segments;
  header.bulk = bulk;
  return header;
}

}  // namespace

TEST(Frame, InlineLimit) {
  Limits limits;
  limits.inline_bytes = 10000;
  EXPECT_EQ(error_of(request_header(9999, 0, 0), {}, 9999, limits), "");
  EXPECT_EQ(error_of(request_header(10000, 0, 0), {}, 10000, limits), "");
  const std::string text = error_of(request_header(10001, 0, 0), {}, 0, limits);
  EXPECT_NE(text.find("10001 is above the limit of 10000"), std::string::npos) << text;
  EXPECT_NE(text.find("SIDL_RMI_MAX_INLINE"), std::string::npos) << text;
}

TEST(Frame, MessageAndMemoryLimits) {
  Limits limits;
  limits.message_bytes = 50000;
  EXPECT_EQ(error_of(request_header(0, 1, 49999), {49999}, 0, limits), "");
  EXPECT_EQ(error_of(request_header(0, 1, 50000), {50000}, 0, limits), "");
  EXPECT_NE(error_of(request_header(0, 1, 50001), {50001}, 0, limits).find("SIDL_RMI_MAX_MESSAGE"),
            std::string::npos);
  limits.memory_bytes = 40000;
  EXPECT_EQ(error_of(request_header(0, 1, 40000), {40000}, 0, limits), "");
  EXPECT_NE(error_of(request_header(0, 1, 40001), {40001}, 0, limits).find("SIDL_RMI_MEMORY"),
            std::string::npos);
}

TEST(Frame, TablesThatDoNotAddUp) {
  const Limits limits;
  EXPECT_NE(error_of(request_header(0, 0, 5), {}, 0, limits), "");
  EXPECT_NE(error_of(request_header(0, 1, 5), {4}, 0, limits), "");
  EXPECT_NE(error_of(request_header(0, 1, 5), {6}, 0, limits), "");
  EXPECT_NE(error_of(request_header(0, 2, 5), {5, 0}, 0, limits), "");
  EXPECT_NE(error_of(request_header(0, 2, 5), {5, ~std::uint64_t{0}}, 0, limits), "");
  EXPECT_EQ(
      error_of(request_header(0, 1000, 1000), std::vector<std::uint64_t>(1000, 1), 1000, limits),
      "");
  EXPECT_NE(
      error_of(request_header(0, 1001, 1001), std::vector<std::uint64_t>(1001, 1), 1001, limits),
      "");
}

TEST(Frame, UnknownTypes) {
  for (const int type : {0, 16, 255}) {
    FrameHeader header;
    header.type = static_cast<std::uint8_t>(type);
    EXPECT_NE(error_of(header, {}, 0, Limits()), "");
  }
}

TEST(Frame, MemoryIsGivenBack) {
  const auto budget = std::make_shared<Budget>(100000);
  FrameReader reader(Limits(), budget);
  Encoder encoder;
  const std::vector<double> values(10000, 1.0);
  put_doubles(encoder, values);
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(FrameType::reply);
  Bytes source(written(header, encoder), 5000);
  ReceiveBuffer buffer;
  {
    Message message;
    ASSERT_EQ(read(reader, source, buffer, message), FrameReader::Status::message);
    EXPECT_GE(budget->used(), 80000u);
  }
  EXPECT_EQ(budget->used(), 0u);
}
