#include "codegen/package_header.hpp"

#include "codegen/doc_comment.hpp"

namespace shinar::codegen {

void emit_package_header(Printer& printer, const std::string& header, const std::string& doc,
                         const std::vector<std::string>& includes) {
  const auto lines = [&] {
    for (const std::string& name : includes) printer.line("#include \"" + name + "\"");
  };
  // No include guard: it would have the same name in the package's other headers.
  printer.emit({{"doc", [&] { emit_doc(printer, doc); }}, {"includes", lines}, {"header", header}},
               R"(
    $doc$
    $includes$

    /* Another library may have more types of the package. */
    #if defined(__has_include_next)
    #if __has_include_next("$header$")
    #pragma GCC system_header
    #include_next "$header$"
    #endif
    #endif
  )");
}

}  // namespace shinar::codegen
