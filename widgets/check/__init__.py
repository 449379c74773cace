"""Is a student's own attention right, and if not, which fault is it?"""
