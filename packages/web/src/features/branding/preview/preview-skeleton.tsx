/** The tabs and the phone before anything is known about the page. */
export function PreviewSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <span className="skeleton h-[38px] w-56" />
      <div className="flex aspect-[375/667] w-full max-w-[377px] flex-col gap-4 rounded-lg border border-line-strong p-6 pt-12">
        <span className="skeleton h-5 w-28" />
        <span className="skeleton h-8 w-4/5" />
        <span className="skeleton mt-6 h-14 w-full" />
        <span className="skeleton h-11 w-full" />
        <span className="skeleton h-11 w-full" />
      </div>
    </div>
  );
}
