#include "tls_names.hpp"

#include <openssl/x509v3.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace shinar::wire::tls {
namespace {

/** A name that goes on behind a zero must not be taken for what is before that by anybody. */
std::string without_zeros(std::string_view name) {
  std::string text;
  for (const char each : name) {
    if (each == '\0') {
      text += "\uFFFD";
    } else {
      text += each;
    }
  }
  return text;
}

std::string utf8_of(const ASN1_STRING* value) {
  unsigned char* bytes = nullptr;
  const int size = ::ASN1_STRING_to_UTF8(&bytes, value);
  if (size < 0) return "";
  std::string text =
      without_zeros({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)});
  ::CRYPTO_free(bytes, nullptr, 0);  // not by the macro, which names the file
  return text;
}

}  // namespace

std::string name_in(X509* certificate) {
  const X509_NAME* const subject = ::X509_get_subject_name(certificate);
  const int common_name = ::X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (common_name >= 0) {
    return utf8_of(::X509_NAME_ENTRY_get_data(::X509_NAME_get_entry(subject, common_name)));
  }
  const std::unique_ptr<GENERAL_NAMES, decltype(&::GENERAL_NAMES_free)> names(
      static_cast<GENERAL_NAMES*>(
          ::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      &::GENERAL_NAMES_free);
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* const each = sk_GENERAL_NAME_value(names.get(), i);
    if (each->type != GEN_DNS && each->type != GEN_EMAIL && each->type != GEN_URI) continue;
    const ASN1_IA5STRING* const value = each->d.ia5;
    return without_zeros({reinterpret_cast<const char*>(::ASN1_STRING_get0_data(value)),
                          static_cast<std::size_t>(::ASN1_STRING_length(value))});
  }
  char text[256] = "";
  return ::X509_NAME_oneline(subject, text, sizeof text) != nullptr ? text : "";
}

}  // namespace shinar::wire::tls
