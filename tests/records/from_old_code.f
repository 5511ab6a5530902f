C     Arrays of structs from an old code: calls of every implementation,
C     in this process or in that of a server (REC_SERVER).
      program oldcod
      integer*8 store, ex
      integer*4 which
      do 10 which = 1, 3
      call mkstor(which, store)
      call plain(store)
      call parts(store)
      call owners(store)
      call house(store)
      call bodies(store)
      call ranks(store)
      call copies(store)
      call halves(store)
      call relayd(store)
      call sidl_BaseInterface_deleteRef_f(store, ex)
   10 continue
      end

      subroutine check(holds, what)
      logical holds
      character*(*) what
      if (holds) return
      write (*, *) 'does not hold: ', what
      stop 1
      end

      subroutine mkstor(which, store)
      integer*4 which
      integer*8 store, made, ex
      character*200 url
      url = ' '
      call getenv('REC_SERVER', url)
      if (url .eq. ' ') then
        if (which .eq. 1) call rec_InC__create_f(made, ex)
        if (which .eq. 2) call rec_InCxx__create_f(made, ex)
        if (which .eq. 3) call rec_InFortran__create_f(made, ex)
      else
        if (which .eq. 1) call rec_InC__createRemote_f(made, url, ex)
        if (which .eq. 2) call rec_InCxx__createRemote_f(made, url, ex)
        if (which .eq. 3)
     &    call rec_InFortran__createRemote_f(made, url, ex)
      end if
      call check(ex .eq. 0, 'an object')
      call rec_Store__cast_f(made, store, ex)
      call sidl_BaseInterface_deleteRef_f(made, ex)
      end

      subroutine mkpart(i, part)
      integer*4 i
      integer*8 part, ex
      call rec_Particle__create_f(part, ex)
      call rec_Particle_set_x_f(part, 0.5d0 * i, ex)
      call rec_Particle_set_id_f(part, int(i, 8), ex)
      call rec_Particle_set_alive_f(part, mod(i, 2) .eq. 1, ex)
      end

C     What owns nothing.
      subroutine plain(store)
      integer*8 store, a, out, both, back, part, ex, id, other
      integer*4 i, n, lower(2), upper(2), at(2)
      integer*8 far(2), to(2), faraway(2)
      double precision sum
      logical alive
      character*100 note
      call rec_Particle__array_create1d_f(4, a, ex)
      do 10 i = 0, 3
      call mkpart(i, part)
      call rec_Particle__array_set1_f(a, i, part, ex)
   10 call rec_Particle__destroy_f(part, ex)
      call rec_Store_sum_f(store, a, sum, ex)
      call check(ex .eq. 0 .and. sum .eq. 7d0, 'sum')
      call rec_Store_shift_f(store, a, ex)
      call rec_Store_sum_f(store, a, sum, ex)
      call check(ex .eq. 0 .and. sum .eq. 11d0, 'in place')
C     In this process all have the elements where they are.
      call rec_Store__isLocal_f(store, alive, ex)
      call rec_Store_same_f(store, a, other, ex)
      call rec_Store_address_f(store, a, id, ex)
      call rec_Store_address_f(store, other, part, ex)
      call check(ex .eq. 0 .and. (part .eq. id .or. .not. alive),
     &           'no copy')
      call sidl__array_deleteRef_f(other)
      both = 0
      call rec_Store_rotate_f(store, a, out, both, back, ex)
      call check(ex .eq. 0 .and. back .eq. 0, 'rotate')
      call rec_Particle__array_get1_f(both, 1, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call check(id .eq. 77, 'inout')
      call rec_Particle__destroy_f(part, ex)
      call rec_Particle__array_get1_f(out, 3, part, ex)
      call rec_Particle_get_alive_f(part, alive, ex)
      call check(alive, 'out')
      call rec_Particle__destroy_f(part, ex)
      call rec_Particle__array_get1_f(out, 4, part, ex)
      call check(ex .eq. 0, 'no such element')
      call rec_Particle_get_id_f(part, id, ex)
      call check(id .eq. 0, 'zero')
      call rec_Particle__destroy_f(part, ex)
      call sidl__array_deleteRef_f(both)
      call sidl__array_deleteRef_f(out)
      call rec_Record__array_get1_f(a, 0, part, ex)
      call check(ex .ne. 0 .and. part .eq. 0, 'another struct')
      call sidl_BaseException_getNote_f(ex, note, other)
      call check(note .eq. 'rec.Record._array_get1: ''array'' '//
     &           'is not an array of rec.Record', note)
      call sidl_BaseException_deleteRef_f(ex, other)
      call sidl__array_deleteRef_f(a)
      lower(1) = -1
      upper(1) = 1
      lower(2) = 3
      upper(2) = 4
      call rec_Particle__array_createRow_f(2, lower, upper, a, ex)
      call sidl__array_isRowOrder_f(a, alive)
      call check(alive, 'rows')
      at(1) = 0
      at(2) = 4
      call mkpart(9, part)
      call rec_Particle__array_set_f(a, at, part, ex)
      call rec_Particle__destroy_f(part, ex)
      call rec_Particle__array_get2_f(a, 0, 4, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call check(id .eq. 9, 'of two indices')
      call rec_Particle__destroy_f(part, ex)
      call rec_Store_columns_f(store, a, back, ex)
      call sidl__array_isColumnOrder_f(back, alive)
      call check(alive, 'columns')
      far(1) = 0
      far(2) = 4
      call rec_Particle__array_get64_f(back, far, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call check(id .eq. 9, 'of long indices')
      call rec_Particle__destroy_f(part, ex)
      call sidl__array_lower_f(back, 2, n)
      call check(n .eq. 3, 'lower bound')
      call sidl__array_deleteRef_f(back)
      call sidl__array_deleteRef_f(a)
      far(1) = 5000000000_8
      to(1) = 5000000002_8
      call rec_Particle__array_createCol64_f(1, far, to, a, ex)
      faraway(1) = 5000000001_8
      call mkpart(5, part)
      call rec_Particle__array_set64_f(a, faraway, part, ex)
      call rec_Particle__destroy_f(part, ex)
      call rec_Particle__array_get64_f(a, faraway, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call check(id .eq. 5, 'far away')
      call rec_Particle__destroy_f(part, ex)
      call sidl__array_deleteRef_f(a)
      end

C     Sections, orders and copies of arrays.
      subroutine parts(store)
      include 'sidl_array.inc'
      integer*8 store, a, part, some, dense, other, ex
      integer*8 far(2), from(2), by(2), to(1)
      integer*4 i, j, count(2), start(2), step(2), lower(1), idat
      double precision sum
      logical is
      call rec_Particle__array_create2dCol_f(3, 2, a, ex)
      do 10 i = 0, 2
      do 10 j = 0, 1
      call mkpart(10 * i + j, part)
      call rec_Particle__array_set2_f(a, i, j, part, ex)
   10 call rec_Particle__destroy_f(part, ex)
C     The second column from below, as elements 1 to 3.
      count(1) = 3
      start(1) = 2
      step(1) = -1
      count(2) = 0
      start(2) = 1
      step(2) = 1
      lower(1) = 1
      call rec_Particle__array_slice_f(a, 1, count, start, step,
     &                                 lower, some, ex)
      call check(ex .eq. 0 .and. some .ne. 0, 'slice')
      call check(idat(some, 1) .eq. 21, 'first of a slice')
      call mkpart(7, part)
      call rec_Particle__array_set1_f(some, 1, part, ex)
      call rec_Particle__destroy_f(part, ex)
      call rec_Store_sum_f(store, some, sum, ex)
      call check(ex .eq. 0 .and. sum .eq. 9.5d0, 'sum of a slice')
      call rec_Particle__array_get2_f(a, 2, 1, part, ex)
      call rec_Particle_get_id_f(part, far(1), ex)
      call check(far(1) .eq. 7, 'shared elements')
      call rec_Particle__destroy_f(part, ex)
      call sidl__array_deleteRef_f(some)
      far(1) = 0
      from(1) = 1
      by(1) = 1
      far(2) = 2
      from(2) = 0
      by(2) = 1
      to(1) = 5000000000_8
      call rec_Particle__array_slice64_f(a, 1, far, from, by, to,
     &                                   some, ex)
      call sidl__array_lower64_f(some, 1, far)
      call check(far(1) .eq. to(1), 'far slice')
      call sidl__array_deleteRef_f(some)
      start(1) = 3
      call rec_Particle__array_slice_f(a, 1, count, start, step,
     &                                 lower, some, ex)
      call check(ex .eq. 0 .and. some .eq. 0, 'no such slice')
      some = 0
      call rec_Particle__array_slice_f(some, 1, count, start, step,
     &                                 lower, dense, ex)
      call check(ex .eq. 0 .and. dense .eq. 0, 'slice of nothing')
C     Orders.
      call rec_Particle__array_ensure_f(a, 2,
     &                          sidl_row_major_order, dense, ex)
      call sidl__array_isRowOrder_f(dense, is)
      call check(ex .eq. 0 .and. is, 'rows')
      call rec_Particle__array_get2_f(dense, 1, 1, part, ex)
      call rec_Particle_get_id_f(part, far(1), ex)
      call check(far(1) .eq. 11, 'element in rows')
      call rec_Particle__destroy_f(part, ex)
      call rec_Particle__array_ensure_f(a, 1,
     &                          sidl_general_order, some, ex)
      call check(ex .eq. 0 .and. some .eq. 0, 'other dimension')
      call rec_Record__array_ensure_f(a, 2,
     &                          sidl_row_major_order, some, ex)
      call check(ex .ne. 0 .and. some .eq. 0, 'order of others')
      call sidl_BaseInterface_deleteRef_f(ex, far(1))
C     What two arrays have.
      call rec_Particle__array_create2dRow_f(2, 1, other, ex)
      call sidl__array_isRowOrder_f(other, is)
      call check(is, '2dRow')
      call rec_Particle__array_copy_f(a, other, ex)
      call rec_Particle__array_get2_f(other, 1, 0, part, ex)
      call rec_Particle_get_id_f(part, far(1), ex)
      call check(ex .eq. 0 .and. far(1) .eq. 10, 'copied')
      call rec_Particle__destroy_f(part, ex)
      call sidl__array_deleteRef_f(other)
      call rec_Record__array_create1d_f(1, other, ex)
      call rec_Particle__array_copy_f(a, other, ex)
      call check(ex .ne. 0, 'copied to others')
      call sidl_BaseInterface_deleteRef_f(ex, far(1))
      call sidl__array_deleteRef_f(other)
      call sidl__array_deleteRef_f(dense)
      call sidl__array_deleteRef_f(a)
      end

C     The id of an element.
      integer*4 function idat(array, i)
      integer*8 array, part, id, ex
      integer*4 i
      call rec_Particle__array_get1_f(array, i, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call rec_Particle__destroy_f(part, ex)
      idat = int(id, 4)
      end

C     What owns something: each element is a copy.
      subroutine owners(store)
      integer*8 store, a, out, both, back, record, parts, part, id, ex
      integer*8 copies
      integer*4 n
      character*10 name
      double precision raw(3)
      data raw /1d0, 2d0, 3d0/
      call rec_Record__array_create1d_f(2, a, ex)
      call rec_Record__create_f(record, ex)
      call rec_Record_set_name_f(record, 'one', ex)
      call rec_Record_set_n_f(record, 3, ex)
      call rec_Record_set_raw_f(record, raw, ex)
      call rec_Particle__array_create1d_f(1, parts, ex)
      call mkpart(6, part)
      call rec_Particle__array_set1_f(parts, 0, part, ex)
      call rec_Particle__destroy_f(part, ex)
      call rec_Record_set_parts_f(record, parts, ex)
      call sidl__array_deleteRef_f(parts)
      call rec_Record__array_set1_f(a, 1, record, ex)
      call rec_Record__destroy_f(record, ex)
      call rec_Record__array_create1d_f(3, copies, ex)
      call rec_Record__array_copy_f(a, copies, ex)
      call rec_Record__array_get1_f(copies, 1, record, ex)
      call rec_Record_get_name_f(record, name, ex)
      call check(ex .eq. 0 .and. name .eq. 'one', 'copied name')
      call rec_Record__destroy_f(record, ex)
      call sidl__array_deleteRef_f(copies)
      call rec_Record__array_get1_f(a, 0, record, ex)
      call rec_Record_get_name_f(record, name, ex)
      call check(name .eq. ' ', 'no name')
      call rec_Record__destroy_f(record, ex)
      both = 0
      call rec_Store_rotateRecords_f(store, a, out, both, back, ex)
      call check(ex .eq. 0 .and. back .eq. 0, 'rotated records')
      call sidl__array_length_f(both, 1, n)
      call check(n .eq. 2, 'new records')
      call rec_Record__array_get1_f(out, 1, record, ex)
      call rec_Record_get_name_f(record, name, ex)
      call check(name .eq. 'one', 'name')
      raw(3) = 0
      call rec_Record_get_raw_f(record, raw, ex)
      call check(ex .eq. 0 .and. raw(3) .eq. 3d0, 'raw array')
      call rec_Record_get_parts_f(record, parts, ex)
      call rec_Particle__array_get1_f(parts, 0, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call check(id .eq. 6, 'array in a struct')
      call rec_Particle__destroy_f(part, ex)
      call sidl__array_deleteRef_f(parts)
      call rec_Record__destroy_f(record, ex)
      call sidl__array_deleteRef_f(out)
      call sidl__array_deleteRef_f(both)
      call sidl__array_deleteRef_f(a)
      end

C     Structs that contain arrays of each other.
      subroutine house(store)
      integer*8 store, rooms, doors, room, door, out, io, back, ex
      integer*4 n
      character*10 name
      call rec_Room__array_create1d_f(1, rooms, ex)
      call rec_Room__create_f(room, ex)
      call rec_Room_set_name_f(room, 'behind', ex)
      call rec_Room__array_set1_f(rooms, 0, room, ex)
      call rec_Room__destroy_f(room, ex)
      call rec_Door__create_f(door, ex)
      call rec_Door_set_number_f(door, 7, ex)
      call rec_Door_set_rooms_f(door, rooms, ex)
      call sidl__array_deleteRef_f(rooms)
      call rec_Door__array_create1d_f(1, doors, ex)
      call rec_Door__array_set1_f(doors, 0, door, ex)
      call rec_Room__create_f(io, ex)
      call rec_Room_set_doors_f(io, doors, ex)
      call rec_Store_house_f(store, doors, door, out, io, back, ex)
      call check(ex .eq. 0, 'house')
      call rec_Door_get_number_f(out, n, ex)
      call check(n .eq. 7, 'door')
      call rec_Room_get_name_f(io, name, ex)
      call check(name .eq. 'behind', 'behind a door')
      call sidl__array_length_f(back, 1, n)
      call check(n .eq. 1, 'doors')
      call sidl__array_deleteRef_f(back)
      call sidl__array_deleteRef_f(doors)
      call rec_Door__destroy_f(door, ex)
      call rec_Door__destroy_f(out, ex)
      call rec_Room__destroy_f(io, ex)
      end

C     Structs in structs, of themselves, with arrays, and large ones.
      subroutine bodies(store)
      integer*8 store, a, out, both, back, plain, part, bag, texts, ex
      integer*8 tree, trees, id
      integer*4 n
      real m(6)
      double precision v(3), x(4096)
      double complex z
      character*10 name
      data v /1d0, 2d0, 3d0/, m /1., 2., 3., 4., 5., 6./
      call rec_Plain__array_create1d_f(2, a, ex)
      call rec_Plain__create_f(plain, ex)
      call mkpart(8, part)
      call rec_Plain_set_at_f(plain, part, ex)
      call rec_Particle__destroy_f(part, ex)
      call rec_Plain_set_z_f(plain, (1d0, -2d0), ex)
      call rec_Plain_set_v_f(plain, v, ex)
      call rec_Plain_set_m_f(plain, m, ex)
      call rec_Plain_set_color_f(plain, 5, ex)
      call rec_Plain__array_set1_f(a, 1, plain, ex)
      call rec_Plain__destroy_f(plain, ex)
      both = 0
      call rec_Store_rotatePlain_f(store, a, out, both, back, ex)
      call check(ex .eq. 0 .and. back .eq. 0, 'plain ones')
      call rec_Plain__array_get1_f(out, 1, plain, ex)
      v(3) = 0
      m(6) = 0
      call rec_Plain_get_v_f(plain, v, ex)
      call rec_Plain_get_m_f(plain, m, ex)
      call rec_Plain_get_z_f(plain, z, ex)
      call rec_Plain_get_color_f(plain, n, ex)
      call check(v(3) .eq. 3d0 .and. m(6) .eq. 6. .and.
     &           z .eq. (1d0, -2d0) .and. n .eq. 5, 'a plain one')
      call rec_Plain_get_at_f(plain, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call check(id .eq. 8, 'a struct in it')
      call rec_Particle__destroy_f(part, ex)
      call rec_Plain__destroy_f(plain, ex)
      call sidl__array_deleteRef_f(both)
      call sidl__array_deleteRef_f(out)
      call sidl__array_deleteRef_f(a)
C     Arrays of texts in structs.
      call sidl_string__array_create1d_f(1, texts)
      call sidl_string__array_set1_f(texts, 0, 'text')
      call rec_Bag__create_f(bag, ex)
      call rec_Bag_set_texts_f(bag, texts, ex)
      call sidl__array_deleteRef_f(texts)
      call rec_Bag__array_create1d_f(2, a, ex)
      call rec_Bag__array_set1_f(a, 1, bag, ex)
      call rec_Bag__destroy_f(bag, ex)
      both = 0
      call rec_Store_rotateBags_f(store, a, out, both, back, ex)
      call check(ex .eq. 0 .and. back .eq. 0, 'bags')
      call rec_Bag__array_get1_f(out, 1, bag, ex)
      call rec_Bag_get_texts_f(bag, texts, ex)
      call sidl_string__array_get1_f(texts, 0, name)
      call check(name .eq. 'text', 'a text')
      call sidl__array_deleteRef_f(texts)
      call rec_Bag__destroy_f(bag, ex)
      call rec_Bag__array_get1_f(out, 0, bag, ex)
      call rec_Bag_get_texts_f(bag, texts, ex)
      call check(texts .eq. 0, 'no texts')
      call rec_Bag__destroy_f(bag, ex)
      if (both .ne. 0) call sidl__array_deleteRef_f(both)
      call sidl__array_deleteRef_f(out)
      call sidl__array_deleteRef_f(a)
C     Of the struct itself.
      call rec_Tree__create_f(tree, ex)
      call rec_Tree_set_name_f(tree, 'leaf', ex)
      call rec_Tree__array_create1d_f(2, trees, ex)
      call rec_Tree__array_set1_f(trees, 0, tree, ex)
      call rec_Tree_set_branches_f(tree, trees, ex)
      call rec_Tree__create_f(both, ex)
      call rec_Tree_set_branches_f(both, trees, ex)
      call rec_Store_forest_f(store, trees, tree, out, both, back, ex)
      call check(ex .eq. 0, 'forest')
      call rec_Tree_get_name_f(both, name, ex)
      call check(name .eq. 'leaf', 'the first branch')
      call rec_Tree_get_branches_f(out, a, ex)
      call sidl__array_length_f(a, 1, n)
      call check(n .eq. 2, 'branches')
      call sidl__array_deleteRef_f(a)
      call sidl__array_deleteRef_f(back)
      call sidl__array_deleteRef_f(trees)
      call rec_Tree__destroy_f(tree, ex)
      call rec_Tree__destroy_f(out, ex)
      call rec_Tree__destroy_f(both, ex)
C     As large as they may be.
      do 10 n = 1, 4096
   10 x(n) = n
      call rec_Page__create_f(a, ex)
      call rec_Page_set_x_f(a, x, ex)
      call rec_Page__create_f(both, ex)
      call rec_Page_set_x_f(both, x, ex)
      call rec_Store_rotatePages_f(store, a, out, both, back, ex)
      call check(ex .eq. 0, 'pages')
      x(4096) = 0
      call rec_Page_get_x_f(out, x, ex)
      call check(x(4096) .eq. 4096d0, 'the end of a page')
      call rec_Page_get_x_f(both, x, ex)
      call check(x(4096) .eq. 0d0, 'zeros')
      call rec_Page__destroy_f(a, ex)
      call rec_Page__destroy_f(both, ex)
      call rec_Page__destroy_f(out, ex)
      call rec_Page__destroy_f(back, ex)
      end

C     Seven dimensions, tables of what owns something, arrays of any
C     type, and none.
      subroutine ranks(store)
      include 'sidl_array.inc'
      integer*8 store, a, back, part, record, id, out, both, ex
      integer*4 i, lower(7), upper(7), at(7), kind
      character*10 name
      logical is
      do 10 i = 1, 7
      lower(i) = i - 3
      upper(i) = lower(i) + mod(i, 2)
   10 at(i) = upper(i)
      call rec_Particle__array_createCol_f(7, lower, upper, a, ex)
      call mkpart(7, part)
      call rec_Particle__array_set7_f(a, at(1), at(2), at(3), at(4),
     &                                at(5), at(6), at(7), part, ex)
      call rec_Particle__destroy_f(part, ex)
      call rec_Store_ranks_f(store, a, back, ex)
      call check(ex .eq. 0, 'seven dimensions')
      call sidl__array_lower_f(back, 7, i)
      call check(i .eq. 4, 'the last dimension')
      call rec_Particle__array_get_f(back, at, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call check(id .eq. 7, 'the last element')
      call rec_Particle__destroy_f(part, ex)
      call sidl__array_deleteRef_f(back)
      call rec_Store_same_f(store, a, back, ex)
      call sidl__array_type_f(back, kind)
      call check(ex .eq. 0 .and. kind .eq. sidl_struct_array, 'any')
      call rec_Particle__array_get_f(back, at, part, ex)
      call rec_Particle_get_id_f(part, id, ex)
      call check(ex .eq. 0 .and. id .eq. 7, 'of any type')
      call rec_Particle__destroy_f(part, ex)
      call sidl__array_deleteRef_f(back)
C     One dimension is needed.
      call rec_Store_shift_f(store, a, ex)
      call check(ex .ne. 0, 'seven dimensions for one')
      call sidl_BaseInterface_deleteRef_f(ex, id)
      call sidl__array_deleteRef_f(a)
      call rec_Record__array_create2dRow_f(2, 3, a, ex)
      call rec_Record__create_f(record, ex)
      call rec_Record_set_name_f(record, 'corner', ex)
      call rec_Record__array_set2_f(a, 1, 2, record, ex)
      call rec_Record__destroy_f(record, ex)
      call rec_Store_tables_f(store, a, back, ex)
      call rec_Record__array_get2_f(back, 1, 2, record, ex)
      call rec_Record_get_name_f(record, name, ex)
      call check(ex .eq. 0 .and. name .eq. 'corner', 'tables')
      call rec_Record__destroy_f(record, ex)
      call sidl__array_deleteRef_f(back)
      call sidl__array_deleteRef_f(a)
      call rec_Particle__array_create2dCol_f(2, 3, a, ex)
      call rec_Store_rows_f(store, a, back, ex)
      call sidl__array_isRowOrder_f(back, is)
      call check(ex .eq. 0 .and. is, 'rows')
      call sidl__array_deleteRef_f(back)
      call sidl__array_deleteRef_f(a)
C     None, and one without elements.
      a = 0
      both = 0
      call rec_Store_rotate_f(store, a, out, both, back, ex)
      call check(ex .eq. 0 .and. out .eq. 0 .and. back .eq. 0, 'none')
      call sidl__array_deleteRef_f(both)
      call rec_Particle__array_create1d_f(0, a, ex)
      call rec_Store_same_f(store, a, back, ex)
      call sidl__array_length_f(back, 1, i)
      call check(ex .eq. 0 .and. back .ne. 0 .and. i .eq. 0, 'empty')
      call sidl__array_deleteRef_f(back)
      call sidl__array_deleteRef_f(a)
      end

C     In an object that travels by value.
      subroutine copies(store)
      integer*8 store, crate, back, none, a, records, record, ex
      integer*4 i, idat
      logical same
      character*10 name
      call rec_Particle__array_create1d_f(2, a, ex)
      do 10 i = 0, 1
      call mkpart(i + 3, record)
      call rec_Particle__array_set1_f(a, i, record, ex)
   10 call rec_Particle__destroy_f(record, ex)
      call rec_Record__array_create1d_f(1, records, ex)
      call rec_Record__create_f(record, ex)
      call rec_Record_set_name_f(record, 'packed', ex)
      call rec_Record__array_set1_f(records, 0, record, ex)
      call rec_Record__destroy_f(record, ex)
      call rec_Crate__create_f(crate, ex)
      call rec_Crate_put_f(crate, a, records, ex)
      call sidl__array_deleteRef_f(a)
      call sidl__array_deleteRef_f(records)
      call rec_Store_unchanged_f(store, crate, back, ex)
      call check(ex .eq. 0 .and. back .ne. 0, 'a copy')
      call rec_Crate__isRemote_f(back, same, ex)
      call check(.not. same, 'a copy here')
      call rec_Crate_deleteRef_f(crate, ex)
      call rec_Crate_particles_f(back, a, ex)
      call check(ex .eq. 0 .and. idat(a, 1) .eq. 4, 'in a copy')
      call rec_Crate_records_f(back, records, ex)
      call rec_Record__array_get1_f(records, 0, record, ex)
      call rec_Record_get_name_f(record, name, ex)
      call check(ex .eq. 0 .and. name .eq. 'packed', 'owners in it')
      call rec_Record__destroy_f(record, ex)
      call sidl__array_deleteRef_f(a)
      call sidl__array_deleteRef_f(records)
      call rec_Crate_deleteRef_f(back, ex)
      none = 0
      call rec_Store_unchanged_f(store, none, back, ex)
      call check(ex .eq. 0 .and. back .eq. 0, 'a copy of nothing')
C     A store is no crate.
      call rec_Store_unchanged_f(store, store, back, ex)
      call check(ex .ne. 0 .and. back .eq. 0, 'a copy of a store')
      call sidl_BaseInterface_deleteRef_f(ex, none)
      end

C     Calls in two halves, and without an answer.
      subroutine halves(store)
      integer*8 store, a, both, back, part, record, ticket, ex
      integer*4 idat
      double precision told
      character*10 name
      call rec_Particle__array_create1d_f(2, a, ex)
      call mkpart(0, part)
      call rec_Particle__array_set1_f(a, 0, part, ex)
      call rec_Particle__destroy_f(part, ex)
      call mkpart(6, part)
      call rec_Particle__array_set1_f(a, 1, part, ex)
      call rec_Particle__destroy_f(part, ex)
      call rec_Record__array_create1d_f(2, both, ex)
      call rec_Store_later_send_f(store, a, both, ticket, ex)
      call check(ex .eq. 0, 'sent')
      call rec_Store_later_recv_f(store, ticket, both, back, ex)
      call check(ex .eq. 0 .and. idat(back, 1) .eq. 6, 'received')
      call rec_Record__array_get1_f(both, 0, record, ex)
      call rec_Record_get_name_f(record, name, ex)
      call check(name .eq. 'later', 'changed')
      call rec_Record__destroy_f(record, ex)
      call sidl_rmi_Ticket_deleteRef_f(ticket, ex)
      call rec_Store_tell_f(store, a, ex)
      call rec_Store_told_f(store, told, ex)
      call check(ex .eq. 0 .and. told .ge. 3d0, 'told')
      call sidl__array_deleteRef_f(back)
      call sidl__array_deleteRef_f(both)
      call sidl__array_deleteRef_f(a)
      end

C     Through an object of this process, which is called back.
      subroutine relayd(store)
      integer*8 store, made, other, a, back, record, ex
      character*10 name
      call rec_InCxx__create_f(made, ex)
      call rec_Store__cast_f(made, other, ex)
      call sidl_BaseInterface_deleteRef_f(made, ex)
      call rec_Record__array_create1d_f(1, a, ex)
      call rec_Record__create_f(record, ex)
      call rec_Record_set_name_f(record, 'relayed', ex)
      call rec_Record__array_set1_f(a, 0, record, ex)
      call rec_Record__destroy_f(record, ex)
      call rec_Store_relay_f(store, other, a, back, ex)
      call check(ex .eq. 0 .and. back .ne. 0, 'relay')
      call rec_Record__array_get1_f(back, 0, record, ex)
      call rec_Record_get_name_f(record, name, ex)
      call check(name .eq. 'relayed', 'called back')
      call rec_Record__destroy_f(record, ex)
      call sidl__array_deleteRef_f(back)
      call sidl__array_deleteRef_f(a)
      call sidl_BaseInterface_deleteRef_f(other, ex)
      end
