C     What old codes reach and the other tests do not: every member of
C     a struct, raw arrays in two halves, arrays of anything, and
C     handles that are not what they should be. TY_SERVER says where
C     the object lives; without it, here.
      program checks
      include 'ty.inc'
      integer*8 object, ex
      character*200 server
      integer*4 failed
      common /count/ failed
      failed = 0
      call getenv('TY_SERVER', server)
      if (server .eq. ' ') then
        call ty_InC__create_f(object, ex)
      else
        call ty_InC__createRemote_f(object, server, ex)
      end if
      call check(ex .eq. 0 .and. object .ne. 0, 'an object')
      if (server .eq. ' ') call whole(object)
      if (server .eq. ' ') call thrown(object)
      if (server .ne. ' ') call proxies(object)
      call meshes(object)
      call raws(object)
      call anys(object)
      call others(object)
      call shapes
      call colours(object)
      call texts(object)
      call ty_InC_deleteRef_f(object, ex)
      call ty_InC_deleteRef_f(0_8, ex)
      call check(ex .eq. 0, 'nothing to give back')
      if (failed .ne. 0) stop 1
      end

      subroutine check(right, what)
      logical right
      character*(*) what
      integer*4 failed
      common /count/ failed
      if (right) return
      failed = failed + 1
      write (*, *) 'failed: ', what
      end

C     The note of an exception, which ends.
      subroutine noted(ex, note, what)
      integer*8 ex, other
      character*(*) note, what
      character*300 text
      call check(ex .ne. 0, what)
      if (ex .eq. 0) return
      call sidl_BaseException_getNote_f(ex, text, other)
      call check(index(text, note) .ne. 0, text)
      call sidl_BaseException_deleteRef_f(ex, other)
      end

C     ---- structs

C     What is returned is nothing, and the rest what the method had
C     made of it when it threw.
      subroutine thrown(object)
      integer*8 object, a, o, io, result, ex
      character*20 text
      call ty_Full__create_f(a, ex)
      call ty_Full__copy_f(a, io, ex)
      call ty_Full_set_text_f(io, 'before', ex)
      call ty_Structs_failStruct_f(object, a, o, io, result, ex)
      call noted(ex, 'on purpose', 'failStruct')
      call check(o .eq. 0 .and. result .eq. 0, 'nothing is returned')
      call ty_Full_get_text_f(io, text, ex)
      call check(ex .eq. 0 .and. text .eq. 'changed', 'a valid value')
      call ty_Full__destroy_f(a, ex)
      call ty_Full__destroy_f(io, ex)
      end

C     Every member there is.
      subroutine whole(object)
      include 'ty.inc'
      integer*8 object, a, o, io, result, item, inner, array, back, ex
      integer*8 handle, more
      integer*4 color, number
      logical flag, same
      complex*16 z
      double precision x
      character*20 text
      call ty_Full__create_f(a, ex)
      call ty_Full_set_flag_f(a, .true., ex)
      call ty_Full_set_z_f(a, (1d0, 2d0), ex)
      call ty_Full_set_handle_f(a, 4711_8, ex)
      call ty_Full_set_text_f(a, 'first', ex)
      call ty_Full_set_text_f(a, 'text', ex)
      call ty_Full_set_color_f(a, ty_Color_red, ex)
      call ty_Item__create_f(item, ex)
      call ty_Item_setNumber_f(item, 1, ex)
      call ty_Full_set_item_f(a, item, ex)
C     an Item is a Numbered
      call ty_Full_set_numbered_f(a, item, ex)
      call check(ex .eq. 0, 'cast')
C     and no Full is one
      call ty_Full_set_numbered_f(a, object, ex)
      call noted(ex, "'value' is not a ty.Numbered", 'not cast')
      call sidl_double__array_create2dRow_f(1, 1, array)
      call sidl_double__array_set2_f(array, 0, 0, 5d0)
      call ty_Full_set_matrix_f(a, array, ex)
      call sidl_double__array_deleteRef_f(array)
      call sidl_string__array_create1d_f(1, array)
      call sidl_string__array_set1_f(array, 0, 'word')
      call ty_Full_set_words_f(a, array, ex)
      call ty_Full_set_any_f(a, array, ex)
      call ty_Full_set_matrix_f(a, array, ex)
      call noted(ex, 'different element', 'strings are no doubles')
      call sidl_string__array_deleteRef_f(array)
      call ty_Inner__create_f(inner, ex)
      call ty_Inner_set_name_f(inner, 'name', ex)
      call ty_Inner_set_item_f(inner, item, ex)
      call ty_Full_set_inner_f(a, inner, ex)
      call ty_Full_set_inner_f(a, inner, ex)
      call ty_Full_set_inner_f(a, a, ex)
      call noted(ex, "is not a handle of a ty.Inner", 'another struct')
      call ty_Full_set_inner_f(a, item, ex)
      call noted(ex, "is not a handle of a ty.Inner", 'an object')
      call ty_Inner__destroy_f(inner, ex)
      call ty_Item_deleteRef_f(item, ex)

      call ty_Full__copy_f(a, io, ex)
      call ty_Structs_every_f(object, a, o, io, result, ex)
      call check(ex .eq. 0, 'every')
      call ty_Full_get_flag_f(o, flag, ex)
      call ty_Full_get_z_f(o, z, ex)
      call check(flag .and. z .eq. (1d0, 2d0), 'numbers')
      call ty_Full_get_flag_f(io, flag, ex)
      call ty_Full_get_z_f(io, z, ex)
      call check(.not. flag .and. z .eq. (2d0, 2d0), 'changed')
      call ty_Full_get_handle_f(io, handle, ex)
      call check(handle .eq. 4712, 'an address')
      call ty_Full_get_text_f(io, text, ex)
      call check(text .eq. 'text+', 'a text')
      call ty_Full_get_color_f(io, color, ex)
      call check(color .eq. ty_Color_green, 'an enumerator')
      call ty_Full_get_item_f(io, item, ex)
      call ty_Full_get_numbered_f(io, more, ex)
      call ty_Item_isSame_f(item, more, same, ex)
      call ty_Numbered_number_f(more, number, ex)
      call check(same .and. number .eq. 100, 'an object')
      call ty_Item_deleteRef_f(item, ex)
      call ty_Numbered_deleteRef_f(more, ex)
      call ty_Full_get_matrix_f(io, array, ex)
      call sidl_double__array_get2_f(array, 0, 0, x)
      call sidl_double__array_deleteRef_f(array)
      call check(x .eq. 6d0, 'a matrix')
      call ty_Full_get_colors_f(io, array, ex)
      call sidl_long__array_get1_f(array, 0, handle)
      call ty_Color__array_get1_f(array, 0, color)
      call sidl_long__array_deleteRef_f(array)
      call check(handle .eq. ty_Color_blue, 'enumerators')
      call check(color .eq. ty_Color_blue, 'by their own name')
      call ty_Full_get_grid_f(io, array, ex)
      call ty_Item__array_get2_f(array, 0, 0, item)
      call ty_Item__array_deleteRef_f(array)
      call ty_Item_number_f(item, number, ex)
      call ty_Item_deleteRef_f(item, ex)
      call check(number .eq. 100, 'objects')
      call ty_Full_get_any_f(io, array, ex)
      call sidl__array_length_f(array, 1, number)
      call sidl__array_deleteRef_f(array)
      call check(number .eq. 7, 'any array')
      call ty_Full_get_handles_f(io, array, ex)
      call sidl_opaque__array_get1_f(array, 0, handle)
      call sidl_opaque__array_deleteRef_f(array)
      call check(handle .eq. 4712, 'addresses')
      call ty_Full_get_inner_f(io, inner, ex)
      call ty_Inner_get_name_f(inner, text, ex)
      call ty_Inner_get_item_f(inner, item, ex)
      call ty_Item_number_f(item, number, ex)
      call check(text .eq. 'inner' .and. number .eq. 200, 'inner')
      call ty_Item_deleteRef_f(item, ex)
      call ty_Inner__destroy_f(inner, ex)
      call ty_Full__destroy_f(o, ex)
      call ty_Full__destroy_f(result, ex)

      o = 1
      result = 1
      call ty_Structs_failStruct_f(object, a, o, io, result, ex)
      call noted(ex, 'on purpose', 'thrown')
      call check(o .eq. 0 .and. result .eq. 0, 'nothing comes back')
      call ty_Full_get_text_f(io, text, ex)
      call check(text .eq. 'changed', 'what inout has')
      call ty_Structs_every_f(object, 0_8, o, io, result, ex)
      call noted(ex, "'a' is 0, but must be the handle of a ty.Full",
     &           'no struct')
      call ty_Full__destroy_f(object, ex)
      call noted(ex, "'self' is not a handle of a ty.Full", 'no struct')
      call ty_Full__destroy_f(0_8, ex)
      call check(ex .eq. 0, 'nothing to end')
      call ty_Full__destroy_f(io, ex)
      call ty_Full__destroy_f(a, ex)
      end

C     Raw arrays in structs are copied.
      subroutine meshes(object)
      integer*8 object, mesh, pair, copy, ex
      double precision edges(2), sum
      integer*4 cells(2, 4), i
      character*20 label
      data edges /1d0, 2d0/, cells /8 * 7/
      call ty_Mesh__create_f(mesh, ex)
      call ty_Mesh_set_n_f(mesh, 2, ex)
      call ty_Mesh_set_edges_f(mesh, edges, ex)
      call ty_Mesh_set_edges_f(mesh, edges, ex)
      call ty_Mesh_set_cells_f(mesh, cells, ex)
      call ty_Mesh_set_label_f(mesh, 'label', ex)
      call ty_Pair__create_f(pair, ex)
      call ty_Pair_set_second_f(pair, mesh, ex)
      call check(ex .eq. 0, 'a mesh in a pair')
      call ty_Structs_mesh_f(object, mesh, pair, sum, ex)
      call check(ex .eq. 0 .and. sum .eq. 3d0, 'their sum')
      call ty_Mesh_get_edges_f(mesh, edges, ex)
      call check(edges(2) .eq. 2d0, 'as they were')
      call ty_Mesh__destroy_f(mesh, ex)
      call ty_Pair_get_second_f(pair, mesh, ex)
      call ty_Mesh_get_edges_f(mesh, edges, ex)
      call ty_Mesh_get_cells_f(mesh, cells, ex)
      call ty_Mesh_get_label_f(mesh, label, ex)
      call check(edges(1) .eq. 4d0 .and. edges(2) .eq. 5d0, 'edges')
      call check(label .eq. 'label', 'a label')
      do 10 i = 1, 4
   10 call check(cells(1, i) .eq. -1 .and. cells(2, i) .eq. -1, 'cells')
      call ty_Mesh_set_n_f(mesh, 3, ex)
      call ty_Mesh_get_edges_f(mesh, edges, ex)
      call noted(ex, "'edges' has grown beyond its memory", 'too many')
      copy = 1
      call ty_Mesh__copy_f(mesh, copy, ex)
      call noted(ex, "'edges' has grown beyond its memory", 'a copy')
      call check(copy .eq. 0, 'no copy')
      call ty_Mesh_set_n_f(mesh, -1, ex)
      call ty_Mesh_get_edges_f(mesh, edges, ex)
      call noted(ex, 'edges', 'a negative length')
      call ty_Mesh_set_edges_f(mesh, edges, ex)
      call noted(ex, 'edges', 'a negative length again')
      call ty_Mesh__destroy_f(mesh, ex)
      call ty_Pair__destroy_f(pair, ex)
      end

C     ---- arrays

C     Raw arrays, whole and in two halves.
      subroutine raws(object)
      integer*8 object, ticket, ex
      integer*4 a(2, 3), i, j, n
      double precision x(2), product
      character*8 text
      data a /6 * 1/, x /1d0, 2d0/
      call ty_Raws_fill_f(object, a, 2, 3, ex)
      call check(ex .eq. 0 .and. a(2, 1) .eq. 11, 'in place')
      do 10 j = 1, 3
      do 10 i = 1, 2
   10 a(i, j) = 1
      call ty_Raws_fill_send_f(object, a, 2, 3, ticket, ex)
      call ty_Raws_fill_recv_f(object, ticket, a, ex)
      call check(ex .eq. 0 .and. a(1, 3) .eq. 8, 'in two halves')
      call sidl_rmi_Ticket_deleteRef_f(ticket, ex)
      call ty_Raws_dot_f(object, x, x, -1, product, ex)
      call noted(ex, 'x', 'a negative length')
      text = 'as was'
      call ty_Raws_failRaw_f(object, a, 1, text, ex)
      call noted(ex, 'on purpose', 'thrown')
      call check(text .eq. ' ', 'a blank text')
      call ty_Item_last_f(a, 2, n, ex)
      call check(ex .eq. 0 .and. n .eq. a(2, 1), 'static')
      end

C     Arrays of any type.
      subroutine anys(object)
      include 'sidl_array.inc'
      integer*8 object, a, o, io, ex, long, back
      integer*4 kind, lower(2), upper(2), n, indices(2)
      complex z
      double precision sum
      lower(1) = -1
      lower(2) = 5
      upper(1) = 0
      upper(2) = 5
      call sidl_fcomplex__array_createCol_f(2, lower, upper, a)
      call sidl_fcomplex__array_set2_f(a, -1, 5, (1.0, 2.0))
      call sidl_fcomplex__array_set2_f(a, 0, 5, (3.0, 4.0))
      io = 0
      call ty_Generics_anyKind_f(object, a, o, io, kind, ex)
      call check(ex .eq. 0, 'any kind')
      call check(kind .eq. sidl_fcomplex_array + 200, 'what kind')
      call sidl__array_type_f(o, n)
      call check(n .eq. sidl_fcomplex_array, 'its type')
      indices(1) = 0
      indices(2) = 5
      call sidl_fcomplex__array_get_f(o, indices, z)
      call check(z .eq. (3.0, 4.0), 'an element')
      call sidl_long__array_get1_f(io, 2, long)
      call check(long .eq. 3, 'longs')
      call ty_Generics_sum_f(object, a, sum, ex)
      call check(sum .eq. -1d0, 'no doubles')
C     a null array, there and back
      call ty_Generics_same_f(object, 0_8, back, ex)
      call check(ex .eq. 0 .and. back .eq. 0, 'null')
      call sidl__array_deleteRef_f(a)
      call sidl__array_deleteRef_f(o)
      call sidl__array_deleteRef_f(io)
      end

C     What is made of arrays.
      subroutine shapes
      include 'sidl_array.inc'
      integer*8 a, b, c, first
      integer*4 lower(7), upper(7), stride(7), n, count(2), start(2)
      integer*4 memory(4), value
      logical is
      character*8 text
      data memory /1, 2, 3, 4/
      call sidl_int__array_create2dRow_f(2, 3, a)
      do 10 n = 0, 5
   10 call sidl_int__array_set2_f(a, n / 3, mod(n, 3), n)
      call sidl_int__array_isRowOrder_f(a, is)
      call check(is, 'row order')
      call sidl_int__array_isColumnOrder_f(a, is)
      call check(.not. is, 'no column order')
      call sidl_int__array_stride_f(a, 1, n)
      call check(n .eq. 3, 'a stride')
      call sidl_int__array_ensure_f(a, 2, sidl_column_major_order, b)
      call sidl_int__array_get2_f(b, 1, 2, value)
      call sidl_int__array_stride_f(b, 1, n)
      call check(b .ne. a .and. n .eq. 1 .and. value .eq. 5, 'ensure')
      call sidl_int__array_ensure_f(a, 2, sidl_row_major_order, c)
      call check(c .eq. a, 'what fits is the same')
      call sidl_int__array_deleteRef_f(c)
      call sidl_int__array_ensure_f(a, 1, sidl_general_order, c)
      call check(c .eq. 0, 'it has two dimensions')
C     the second row
      count(1) = 0
      count(2) = 3
      start(1) = 1
      start(2) = 0
      stride(1) = 1
      stride(2) = 1
      lower(1) = 7
      call sidl_int__array_slice_f(a, 1, count, start, stride, lower, c)
      call sidl_int__array_get1_f(c, 8, value)
      call check(value .eq. 4, 'a slice')
      call sidl_int__array_set1_f(c, 8, 40)
      call sidl_int__array_get2_f(a, 1, 1, value)
      call check(value .eq. 40, 'of the same memory')
      call sidl_int__array_copy_f(a, b)
      call sidl_int__array_get2_f(b, 1, 1, value)
      call check(value .eq. 40, 'copied')
      call sidl_int__array_deleteRef_f(c)
C     outside, of another rank, of another type
      call sidl_int__array_get2_f(a, 2, 0, value)
      call check(value .eq. 0, 'outside')
      call sidl_int__array_get1_f(a, 1, value)
      call check(value .eq. 0, 'of another rank')
      call sidl_double__array_access_f(a, memory, lower, upper, stride,
     &                                 first)
      call check(first .eq. 0, 'of another type')
      call sidl_string__array_get2_f(a, 1, 1, text)
      call check(text .eq. ' ', 'no text')
      call sidl_int__array_deleteRef_f(b)
      call sidl_int__array_deleteRef_f(a)
C     memory of this program
      lower(1) = 1
      upper(1) = 2
      stride(1) = 2
      call sidl_int__array_borrow_f(memory, 1, lower, upper, stride, a)
      call sidl_int__array_get1_f(a, 2, value)
      call check(value .eq. 3, 'every other one')
      call sidl_int__array_access_f(a, memory(2), lower, upper, stride,
     &                              first)
      call check(first .eq. 0 .and. stride(1) .eq. 2, 'where it begins')
      call sidl_int__array_smartCopy_f(a, b)
      memory(3) = 30
      call sidl_int__array_get1_f(b, 2, value)
      call check(b .ne. a .and. value .eq. 3, 'kept')
      call sidl__array_addRef_f(b)
      call sidl__array_deleteRef_f(b)
      call sidl_int__array_deleteRef_f(b)
      call sidl_int__array_deleteRef_f(a)
      upper(1) = -9
      call sidl_int__array_createRow_f(1, lower, upper, a)
      call check(a .eq. 0, 'there is no such array')
      do 20 n = 1, 7
      lower(n) = n
   20 upper(n) = n
      call sidl_char__array_createRow_f(7, lower, upper, a)
      call sidl_char__array_set7_f(a, 1, 2, 3, 4, 5, 6, 7, 'x')
      call sidl_char__array_get_f(a, lower, text(1:1))
      call check(text(1:1) .eq. 'x', 'seven dimensions')
      call sidl_char__array_deleteRef_f(a)
      end

C     ---- objects

C     Handles of something else.
      subroutine others(object)
      integer*8 object, array, o, io, item, ex
      integer*4 number
      logical answer
      call ty_Item__create_f(item, ex)
      call ty_Orders_columns_f(item, 0_8, o, io, answer, ex)
      call noted(ex, "columns: 'self' is not a ty.Orders", 'self')
      number = 5
      call ty_Objects_total_f(0_8, 0_8, number, ex)
      call noted(ex, "'self' is 0", 'no object')
      call check(number .eq. 0, 'nothing comes back')
      call sidl_int__array_create1d_f(3, array)
      o = 1
      io = array
      call ty_Orders_rows_f(object, array, o, io, answer, ex)
      call noted(ex, "'a' is an array of a different num", 'dimensions')
      call check(o .eq. 0 .and. io .eq. array, 'inout is as it was')
      call ty_Objects_total_f(object, array, number, ex)
      call noted(ex, "'a' is an array of a different ele", 'elements')
      call sidl_int__array_deleteRef_f(array)
      call ty_InC__cast_f(item, io, ex)
      call check(ex .eq. 0 .and. io .eq. 0, 'a cast that gives nothing')
      call ty_Item_deleteRef_f(item, ex)
      end

C     A proxy that was made for one interface answers for others.
      subroutine proxies(object)
      integer*8 object, orders, ex
      double precision sum
      logical answer
      character*200 url
      call ty_InC__isRemote_f(object, answer, ex)
      call check(answer, 'remote')
      call ty_InC__getURL_f(object, url, ex)
      call ty_Orders__connect_f(url, orders, ex)
      call check(ex .eq. 0, 'connected')
      call ty_Generics_sum_f(orders, 0_8, sum, ex)
      call check(ex .eq. 0 .and. sum .eq. -1d0, 'seen as another type')
      call ty_Item_setNumber_f(orders, 1, ex)
      call noted(ex, "'self' is not a ty.Item", 'of no such type')
      call ty_Orders_deleteRef_f(orders, ex)
      end

C     ---- enumerators, under the names of Babel's time

      subroutine colours(object)
      include 'ty_Color.inc'
      integer*8 object, a, o, result, ex
      integer*4 one, color, length, at(2), i
      call ty_Color__array_create2dCol_f(2, 3, a)
      do 10 i = 0, 2
        call ty_Color__array_set2_f(a, 0, i, red)
        call ty_Color__array_set2_f(a, 1, i, red)
   10 continue
      call ty_Color__array_set2_f(a, 1, 2, blue)
      at(1) = 0
      at(2) = 1
      call ty_Color__array_set_f(a, at, green)
      one = red
      call ty_Orders_colors_f(object, a, o, one, result, ex)
      call check(ex .eq. 0, 'colours')
      call ty_Color__array_get2_f(o, 1, 2, color)
      call check(color .eq. blue, 'blue')
      call ty_Color__array_get_f(o, at, color)
      call check(color .eq. green, 'green')
      call ty_Color__array_get2_f(o, 0, 0, color)
      call check(color .eq. red, 'red')
      call ty_Color__array_get2_f(o, 7, 7, color)
      call check(color .eq. 0, 'nothing there')
      call ty_Color__array_length_f(o, 2, length)
      call check(length .eq. 3, 'a length')
      call ty_Color__array_deleteRef_f(a)
      call ty_Color__array_deleteRef_f(o)
      call ty_Color__array_deleteRef_f(result)
      end

C     ---- texts

      subroutine texts(object)
      integer*8 object, ex
      character*4 o, io
      character*9 result
C     the callee gives back blanks for null, and what does not fit
      io = 'a'
      call ty_Calls_text_f(object, 'b   ', o, io, result, ex)
      call check(ex .eq. 0 .and. o .eq. 'b', 'blanks go')
      io = 'abcd'
      call ty_Calls_text_f(object, 'too long', o, io, result, ex)
      call noted(ex, 'has room for 4', 'cut')
      call check(o .eq. 'too ', 'what there is room for')
      end
