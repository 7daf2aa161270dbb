; CRC-32 of a text, and its characters in reverse by recursion.
        li   r1, text
        li   r2, -1             ; the checksum so far
        lui  r8, 0xedb8
        li   r9, 0x8320
        li   r3, -1
        lui  r4, 0xffff
        xor  r4, r3             ; 0x0000ffff
        and  r9, r4
        or   r8, r9
        li   r0, 0
        li   r10, 1
byte:   ldb  r5, r1, 0
        beq  r5, r0, done
        xor  r2, r5
        li   r6, 8
bit:    mov  r7, r2
        and  r7, r10
        shr  r2, r10
        beq  r7, r0, even
        xor  r2, r8
even:   sub  r6, r10
        bne  r6, r0, bit
        addi r1, r1, 1
        jmp  byte
done:   xor  r2, r3
        putx r2
        li   r3, 10
        putc r3
        li   r1, text
        call reverse
        putc r3
        li   r1, -7
        li   r2, 2
        sar  r1, r2
        putn r1
        putc r3
        halt

reverse: ldb r5, r1, 0
        beq  r5, r0, leave
        push r5
        addi r1, r1, 1
        call reverse
        pop  r5
        putc r5
leave:  ret

text:   .byte 'T', 'h', 'e', 32, 'f', 'o', 'x', 46, 0
