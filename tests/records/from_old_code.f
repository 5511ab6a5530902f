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
