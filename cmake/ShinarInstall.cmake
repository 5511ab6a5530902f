# What `make install` puts where. Everything is found relative to where it lies, so that the
# installed tree may be moved, and build/stage is an installation like any other.
include(CMakePackageConfigHelpers)

set(shinar_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Shinar)
set(shinar_include_dir ${CMAKE_INSTALL_INCLUDEDIR}/shinar)

# ---- targets -------------------------------------------------------------------------------------

install(TARGETS sidl sidl_cxx EXPORT ShinarTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${shinar_include_dir})
install(PROGRAMS $<TARGET_FILE:sidlc> DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS sidl_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Protocols: each a library and its catalogue, both beside libsidl, which looks for them there.
foreach(protocol simhandle)
  install(TARGETS sidlx_${protocol} EXPORT ShinarTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${shinar_include_dir})
  install(FILES ${PROJECT_BINARY_DIR}/lib/libsidlx_${protocol}.scl
    DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()

# For transports of users: apart from the headers of interfaces that stay as they are.
install(TARGETS shinar_transport EXPORT ShinarTargets
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/shinar-transport)

foreach(plug_in sidlx_tls sidlx_ucx sidlx_secret sidlx_munge sidlx_policy)
  if(TARGET ${plug_in})
    install(TARGETS ${plug_in} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()

# ---- headers, interfaces ---------------------------------------------------------------------------

install(DIRECTORY
    ${PROJECT_SOURCE_DIR}/runtime/c/include/
    ${PROJECT_SOURCE_DIR}/runtime/cxx/include/
    ${PROJECT_BINARY_DIR}/gen/sidl/
    ${PROJECT_BINARY_DIR}/gen/sidl-cxx/
    ${PROJECT_BINARY_DIR}/gen/sidlx/
  DESTINATION ${shinar_include_dir}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.hxx" PATTERN "*.hpp")
install(FILES
    ${PROJECT_SOURCE_DIR}/runtime/sidl/sidl.sidl
    ${PROJECT_SOURCE_DIR}/protocols/glue/sidlx_rmi.sidl
  DESTINATION ${CMAKE_INSTALL_DATADIR}/shinar)
install(FILES
    ${PROJECT_SOURCE_DIR}/compiler/ir/sidl_ir.proto
    ${PROJECT_SOURCE_DIR}/compiler/ir/sidl_plugin.proto
  DESTINATION ${CMAKE_INSTALL_DATADIR}/shinar/proto)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# ---- CMake package, pkg-config ---------------------------------------------------------------------

install(EXPORT ShinarTargets NAMESPACE Shinar:: DESTINATION ${shinar_cmake_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ShinarConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/ShinarConfig.cmake INSTALL_DESTINATION ${shinar_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/ShinarConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/cmake/ShinarConfig.cmake
    ${PROJECT_BINARY_DIR}/cmake/ShinarConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ShinarSidl.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ShinarSidlCheck.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ShinarSidlInstall.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ShinarSidlJava.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ShinarSidlPackage.cmake.in
  DESTINATION ${shinar_cmake_dir})

file(RELATIVE_PATH shinar_pc_prefix /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(${PROJECT_SOURCE_DIR}/cmake/shinar.pc.in ${PROJECT_BINARY_DIR}/cmake/shinar.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/shinar.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
