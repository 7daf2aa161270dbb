Sierpinski triangle of 32 lines

The odd numbers in Pascal's triangle are the stars: a place is odd if just one of
the two above it was

Cells: n copy blank newline and two unused; then for each place of the line a block
  m  1 if the line is that long
  v  1 for a star
  c  v of the block to the left in the line before
  t  scratch
  s  scratch
A line is one block longer than the line before it; Five cells to the left of the
first m is copy: it is 0 at rest and so ends the way back

>>>++++++++++<<++++++++[<++++>>++++<-]        n is 32 lines to go and blank is a space
>>>>>+>+                                      the first line is one star
<<<<<<<[-                                     for each line
    [>+>>>+<<<<-]>>>>[<<<<+>>>>-]             indent by n
    <<<[>.<-]
    >>>>>[                                    for each place
        >>>>++++[<++++++++>-]<.               a space
        <<[>>++++++++++>+<<<-]>>.[-]          a star or another space
        >[<<<+>>>>>>+<<<-]                    restore v and pass it on
        <<[<[>>-<<-]>>+[<<+>>-]<-]            v is now 1 if just one of v and c was
    >>>]
    +>>[<+>-]                                 the line grows by a place
    <<<<<<<[<<<<<]
    >>.
<<<]
