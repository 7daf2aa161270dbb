Squares from 0 to 10000

The next square is the last one plus the next odd number: a step that grows
by 2 and ends at 201 so that one cell holds it

Cells: n step copy newline and then five decimal digits with the ones first
A digit is six cells:
   c  1 when it is to be counted up
   d  its value
   r  10 less its value
   f  scratch: is r zero
   z  always 0 at rest
   u  1 when it is in use: leading zeros are not printed

++++++++++[>>>+>>>+>>>>>>+>>>>>>+>>>>>>+>>>>>>+<<<<<<<<<<<<<<<<<<<<<<<<<<<<++++++++++<<-]  newline and every r are 10 and copy is 100
>>[<<+>>-]<<+                                 n is 101 lines to go
>+>>>>>>>>+                                   the first step is 1 and the ones are in use

<<<<<<<<<[                                    for each line
    >>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>[<++++++[<<<++++++++>>>-]<<<.>>>++++++[<<<-------->>>-]+>-]<[>+<-]  print the digits in use
    <<<<<[<++++++[<<<++++++++>>>-]<<<.>>>++++++[<<<-------->>>-]+>-]<[>+<-]
    <<<<<[<++++++[<<<++++++++>>>-]<<<.>>>++++++[<<<-------->>>-]+>-]<[>+<-]
    <<<<<[<++++++[<<<++++++++>>>-]<<<.>>>++++++[<<<-------->>>-]+>-]<[>+<-]
    <<<<<[<++++++[<<<++++++++>>>-]<<<.>>>++++++[<<<-------->>>-]+>-]<[>+<-]
    <<<<<.
    <<[>+<-]
    >[                                        step times
        <+
        >>>+                                  count up
        [->+>->>>[-]+<<+<[>-]>[<++++++++++<---------->>>>>+<<<->]<<<<]  if r is now 0 carry
        >>>>>>[->+>->>>[-]+<<+<[>-]>[<++++++++++<---------->>>>>+<<<->]<<<<]
        >>>>>>[->+>->>>[-]+<<+<[>-]>[<++++++++++<---------->>>>>+<<<->]<<<<]
        >>>>>>[->+>->>>[-]+<<+<[>-]>[<++++++++++<---------->>>>>+<<<->]<<<<]
        >>>>>>[->+>->>>[-]+<<+<[>-]>[<++++++++++<---------->>->]<<<<]
        <<<<<<<<<<<<<<<<<<<<<<<<<<-]
    <++
    <-]
