"""What does the page say about where the student's progress is?

`assets/page/saving/sign.js` shows these sentences, whatever the host.
"""

SAVING = {
    # What is wrong now, and what to do.
    "away": "Not saved in the course yet: it does not answer. The page keeps trying.",
    "refused": "Not saved: the course refused it. You may have been logged out, or logged in again "
    "in another tab. Log in, then open this activity again from the course.",
    "shut": "Not saved: the course did not let this page begin. Close it and open the activity "
    "again from the course.",
    "silent": "The course page has not said yet whether your last step was saved.",
    "blocked": "This browser lets the page keep nothing.",
    # What that means for what was done.
    "copy": "Until then your work is kept in this browser and goes in when you come back.",
    "no_copy": "Closing this page loses it.",
    # What there is to know.
    "browse": "This is a preview: you may try everything, and nothing is saved or graded.",
    "review": "You are reviewing a finished attempt: nothing is saved now, and your grade stays.",
    "lone": "No course was found around this page, so nothing is reported; your progress stays in "
    "this browser. Open the activity from the course to have it count.",
    "brought": "Work of yours that had not reached the course was still in this browser. You go on "
    "from there, and it is sent now.",
}
