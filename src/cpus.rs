//! The number of CPUs that this process may use.
//!
//! A control group limits its processes to a share of the CPUs: a container, a pod, a systemd slice
//! or a job of a scheduler. Each group also obeys the limits of all groups that contain it. Neither
//! source is sufficient: `num_cpus` reads the quota of the innermost group only, and rounds it up;
//! the standard library reads the quotas of all groups, but rounds them down, so that it leaves a
//! part of a CPU unused.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::thread::available_parallelism;

/// Returns the smaller of what `num_cpus` and the standard library give, except that a part of a
/// CPU counts as one: a quota of 1.5 CPUs means 2.
pub(crate) fn count() -> usize {
    let innermost = num_cpus::get().max(1);
    let rounded_down = available_parallelism().map_or(innermost, NonZero::get);
    if rounded_down < innermost && smallest_quota(Path::new("/")) > Some(rounded_down as f64) {
        // The quota lies between this number and the next.
        rounded_down + 1
    } else {
        rounded_down.min(innermost)
    }
}

/// Returns the smallest quota of the control groups of this process, in CPUs, or `None` if there is
/// no quota. `root` is the root of the file system.
fn smallest_quota(root: &Path) -> Option<f64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let mut smallest = None;
    for line in groups.lines() {
        // Version 1 has a hierarchy per set of controllers, as in `4:cpu,cpuacct:/group`. Version 2
        // has only one, as in `0::/group`.
        let Some((controllers, group)) =
            line.split_once(':').and_then(|(_, it)| it.split_once(':'))
        else {
            continue;
        };
        if !controllers.is_empty() && !controllers.split(',').any(|name| name == "cpu") {
            continue;
        }
        let top = root.join("sys/fs/cgroup").join(controllers);
        for group in top
            .join(group.trim_start_matches('/'))
            .ancestors()
            .take_while(|group| group.starts_with(&top))
        {
            if let Some(quota) = quota(group) {
                smallest = Some(smallest.map_or(quota, |least: f64| least.min(quota)));
            }
        }
    }
    smallest
}

/// Returns the quota of one control group, in CPUs.
fn quota(group: &Path) -> Option<f64> {
    // Without a quota, the first word is `max` in version 2 and -1 in version 1.
    let words = fs::read_to_string(group.join("cpu.max"))
        .or_else(|_| {
            let quota = fs::read_to_string(group.join("cpu.cfs_quota_us"))?;
            let period = fs::read_to_string(group.join("cpu.cfs_period_us"))?;
            Ok::<_, io::Error>(quota + &period)
        })
        .ok()?;
    let mut numbers = words.split_whitespace().map(str::parse::<u32>);
    let (quota, period) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (period > 0).then(|| f64::from(quota) / f64::from(period))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: String) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// In both versions, each of three nested groups may have a quota below, at or above a whole
    /// number of CPUs, or none.
    #[test]
    fn smallest_quota_of_nested_groups_applies() {
        let root = tempfile::tempdir().unwrap();
        let quotas: [Option<u32>; 4] = [None, Some(50_000), Some(100_000), Some(150_000)];
        for groups in ["4:cpuacct,cpu:/a/b\n2:memory:/c\n0::/\n", "0::/a/b\n"] {
            write(root.path(), "proc/self/cgroup", groups.to_owned());
            for combination in 0..64 {
                let quotas = [0, 2, 4].map(|shift| quotas[combination >> shift & 3]);
                for (group, quota) in ["", "a", "a/b"].into_iter().zip(quotas) {
                    if groups.starts_with('4') {
                        let group = format!("sys/fs/cgroup/cpuacct,cpu/{group}");
                        let quota = quota.map_or(-1, i64::from);
                        write(
                            root.path(),
                            &format!("{group}/cpu.cfs_quota_us"),
                            format!("{quota}\n"),
                        );
                        write(
                            root.path(),
                            &format!("{group}/cpu.cfs_period_us"),
                            "100000\n".to_owned(),
                        );
                    } else {
                        let quota = quota.map_or("max".to_owned(), |quota| quota.to_string());
                        let path = format!("sys/fs/cgroup/{group}/cpu.max");
                        write(root.path(), &path, format!("{quota} 100000\n"));
                    }
                }
                let smallest = quotas
                    .into_iter()
                    .flatten()
                    .min()
                    .map(|quota| f64::from(quota) / 1e5);
                assert_eq!(smallest_quota(root.path()), smallest, "{groups} {quotas:?}");
            }
            fs::remove_dir_all(root.path().join("sys")).unwrap();
        }
        assert_eq!(smallest_quota(root.path()), None);
    }
}
