// Objects in payloads that hold the thing itself, and those that are about somebody or something beside it.

/** Objects around the thing itself; what is in others (a user, a repository) is not the title. */
export const WRAPPERS = new Set(
  'data payload event alert alerts incident issue message notification object detail details body resource attributes item record monitor check build job deployment ticket result embeds report pullrequest commitstatus essentials alertgroup error fault'.split(
    ' ',
  ),
);
/** Whose page is not what a task is about. */
export const PEOPLE = new Set('actor user author owner sender creator'.split(' '));
