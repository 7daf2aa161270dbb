; Primes below 100, a mark per number at `marks`.
        li   r1, 2              ; candidate
        li   r7, 100
outer:  ldb  r2, r1, marks
        li   r0, 0
        bne  r2, r0, next
        putn r1
        li   r3, ' '
        putc r3
        mov  r4, r1
inner:  add  r4, r1
        bltu r7, r4, next
        li   r5, 1
        stb  r5, r4, marks
        jmp  inner
next:   addi r1, r1, 1
        bltu r1, r7, outer
        li   r3, 10
        putc r3
        halt
marks:
